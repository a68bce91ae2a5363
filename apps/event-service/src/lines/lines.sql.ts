import {
  bound,
  type CountedListing,
  given,
  join,
  type JsonMember,
  jsonObjectText,
  type Listing,
  raw,
  type Sql,
  sql,
  type Statement,
  statement,
} from '@fibre/database';
import { NIL as PRODUCTION } from 'uuid';
import { selectEntities, stateAt, type StateSource } from '../entities/entity-state.sql.js';
import type { ExportFormat } from '../event-lists/event-lists.requests.js';
import { KEPT, type Kept } from '../timeline/steps.sql.js';
import { eventAtText, inScope, lineId, sameTimeline } from '../timeline/timeline.sql.js';

/** An operator, and the id of the ISP there. */
export interface LineAccount {
  readonly tenant: string;
  readonly partner_id: string;
}

/** Selects the lines of an ISP at an instant. Absent filters are ignored. */
export interface LineSearch extends Partial<Record<Kept, string>> {
  /** At least one. */
  readonly accounts: readonly LineAccount[];
  /** The instant, as a timestamp in SQL. */
  readonly at: string;
  readonly entity_id?: string;
  readonly article_code?: string;
}

/** The members of a `LineResponse` in SQL; `l` is a row of {@link selectLines}. */
const LINE_MEMBERS: readonly JsonMember[] = [
  { name: 'line_id', sql: lineId('l.tenant', 'l.partner_id', 'l.entity_id'), as: 'plain' },
  { name: 'tenant', sql: 'l.tenant', as: 'plain' },
  { name: 'entity_id', sql: 'l.entity_id', as: 'plain' },
  { name: 'partner_id', sql: 'l.partner_id', as: 'plain' },
  { name: 'since', sql: eventAtText('l.since'), as: 'plain' },
  { name: 'article_codes', sql: 'l.article_codes', as: 'json' },
  { name: 'option82', sql: 'l.option82', as: 'text', optional: true },
  { name: 'partner_reference', sql: 'l.partner_reference', as: 'text', optional: true },
];

/** SQL expression for the JSON text of a `LineResponse`. */
export const LINE_JSON = jsonObjectText(LINE_MEMBERS);

const valueOf = (member: Kept): Sql => raw(`(e.sys_attributes ->> '${member}')`);

/**
 * The condition that finds the events `e` of every timeline with such a line: those that set the circuit or the reference or, without these
 * filters, the activations of the ISP. Each has an index that has the entities in order.
 */
function named({ partner_id }: LineAccount, search: LineSearch): Sql {
  const member = KEPT.find((name) => search[name] !== undefined);
  if (member) {
    const [value, sought] = [valueOf(member), bound(search[member])];
    // The index also serves a search that ignores case.
    return sql`e.event_type <> 'notification' and lower(${value} collate "C") = lower(${sought} collate "C") and ${value} = ${sought}`;
  }
  return sql`e.event_type = 'activation' and e.sys_attributes is not null and (e.sys_attributes ->> 'partner_id')::uuid = ${partner_id}::uuid`;
}

/** A range of entity ids, including `from` and excluding `until`. An absent bound means no limit. */
export interface LineWindow {
  readonly from?: string;
  readonly until?: string;
}

/** Whether so many timelines may have such a line that they are read in windows: PostgreSQL would read all of them for each page. */
export const isWindowed = (search: LineSearch): boolean =>
  search.entity_id === undefined && KEPT.every((member) => search[member] === undefined);

/** The events, at one operator, of the timelines that may have such a line. */
function candidatesOf(account: LineAccount, search: LineSearch, { from, until }: LineWindow): Sql {
  const isOf = inScope({ tenant: account.tenant, namespaceId: PRODUCTION, entityId: search.entity_id });
  const bounds = [given(from, (id) => sql`e.entity_id >= ${id}::uuid`), given(until, (id) => sql`e.entity_id < ${id}::uuid`)];
  return sql`event e where ${join([isOf('e'), named(account, search), sql`e.event_at <= ${search.at}::timestamptz`, ...bounds], ' and ')}`;
}

/** The first entity after the next `size` with {@link candidatesOf} at any operator, as `entity_id`; no row if no operator has as many. */
export function selectNextWindow(search: LineSearch, from: string | undefined, size: number): Statement {
  const ends = search.accounts.map(
    (account) =>
      sql`(select distinct e.entity_id from ${candidatesOf(account, search, { from })} order by e.entity_id offset ${size} limit 1)`,
  );
  return statement('lines-next-window')`select w.entity_id from (${join(ends, ' union all ')}) w order by w.entity_id limit 1`;
}

/** Counts {@link candidatesOf} of all operators. */
export const candidateListing = (search: LineSearch, window: LineWindow = {}): CountedListing => ({
  label: 'lines-candidates',
  rows: join(
    search.accounts.map((account) => sql`(select 1 from ${candidatesOf(account, search, window)})`),
    ' union all ',
  ),
});

/**
 * The lines of an ISP at one operator. Only the timelines whose events name it are read, and each one's state at the instant decides.
 */
function selectLinesOf(account: LineAccount, search: LineSearch, window: LineWindow): Sql {
  const { article_code, entity_id } = search;
  const at = sql`${search.at}::timestamptz`;
  const isOf = inScope({ tenant: account.tenant, namespaceId: PRODUCTION, entityId: entity_id });
  const source: StateSource = stateAt(at, sql`${raw(sameTimeline('e', 't'))} and ${isOf('e')}`);
  const { columns, articles } = source;
  const conditions = join(
    [
      isOf('t'),
      sql`${columns.state} = 'active'`,
      sql`${columns.partner_id} = ${account.partner_id}::uuid`,
      ...KEPT.map((member) => given(search[member], (value) => sql`${columns[member]} = ${value}`)),
      given(article_code, (code) => sql`${code} = any(${articles})`),
    ],
    ' and ',
  );
  const timelines = sql`(
      select distinct e.shard_key, e.tenant, e.namespace_id, e.entity_id from ${candidatesOf(account, search, window)}
    ) c join timeline t on ${raw(sameTimeline('t', 'c'))}`;
  return sql`${selectEntities(source, timelines)} where ${conditions}`;
}

/** The lines of all operators, in any order. */
const selectLines = (search: LineSearch, window: LineWindow = {}): Sql =>
  join(
    search.accounts.map((account) => sql`(${selectLinesOf(account, search, window)})`),
    ' union all ',
  );

/** The listing of all lines, or of those in a window, ordered by entity and operator. */
export function lineListing(search: LineSearch, window: LineWindow = {}): Listing {
  return {
    label: 'lines',
    records: ({ from: [entity, tenant], limit }) => sql`
      select l.* from (${selectLines(search, window)}) l ${entity && sql`where (l.entity_id, l.tenant) >= (${entity}, ${tenant})`}
      order by l.entity_id, l.tenant limit ${limit}`,
    rows: selectLines(search, window),
    order: [
      { column: 'entity_id', type: 'uuid' },
      { column: 'tenant', type: 'text' },
    ],
    alias: 'l',
    json: LINE_JSON,
  };
}

const EXPORTED = { csv: LINE_MEMBERS.map((member) => `${member.sql} as ${member.name}`).join(', '), ndjson: LINE_JSON };

/** All lines, for COPY: as columns, or as a single column of JSON. */
export const exportLines = (format: ExportFormat, search: LineSearch): Statement =>
  statement(`lines-export-${format}`)`select ${raw(EXPORTED[format])} from (${selectLines(search)}) l order by l.entity_id, l.tenant`;
