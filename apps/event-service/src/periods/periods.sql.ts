import { jsonObjectText, type JsonMember, MAX_PAGE_BYTES, type Statement, statementWithNames } from '@fibre/database';
import type { Timestamp } from '@fibre/dto';
import { MAX as GREATEST_ID } from 'uuid';
import type { ExportFormat } from '../export-files/export-file.js';
import { leastIdAt, shardKeyOf } from '../timeline/event-id.js';
import { IN_FORCE, joinInForce, selectSteps } from '../timeline/steps.sql.js';
import { eventAtText, sameTimeline } from '../timeline/timeline.sql.js';
import type { TimelineKey } from '../timeline/timeline.js';

/** Selects the steps of a window, as recorded up to an instant. Absent filters are ignored. */
export interface PeriodSearch extends Pick<TimelineKey, 'tenant' | 'namespaceId'> {
  readonly from: Timestamp;
  readonly to: Timestamp;
  readonly recordedUntil: Date;
  /** If set, searches for corrections: entities whose steps differ from those recorded up to this instant. */
  readonly recordedFrom?: Date;
  readonly partner_id?: string;
  readonly entity_id?: string;
  readonly article_code?: string;
}

/** Start of a page: an entity and, within the window, the start of one of its steps. */
export interface PeriodPlace {
  readonly entityId: string;
  /** Microseconds from the start of the window to that of the step. */
  readonly sinceFrom: number;
}

/** Maximum number of steps that a correction lists in `before`, and in `after`. */
const MAX_CORRECTED_STEPS = 1_000;
/** Number of entities that are read to count a listing. */
const COUNTED = 10_000;
/** Maximum number of milliseconds by which an id's time may precede `created_at`, which never decreases within a timeline. */
const ID_LATE_MS = 60_000;

/** The values of the named parameters in the statements below. */
const valuesOf = (search: PeriodSearch): Record<string, unknown> => ({
  tenant: search.tenant,
  namespace: search.namespaceId,
  from: search.from.utc,
  to: search.to.utc,
  recorded_until: search.recordedUntil,
  recorded_from: search.recordedFrom,
  least_new_id: search.recordedFrom && leastIdAt(search.recordedFrom.getTime() - ID_LATE_MS),
  entity: search.entity_id,
  shard: search.entity_id && shardKeyOf(search.entity_id),
  partner: search.partner_id,
  article: search.article_code,
});

const statement = (label: string, text: string, search: PeriodSearch, values: Readonly<Record<string, unknown>> = {}): Statement =>
  statementWithNames(`${label}${search.recordedFrom ? '-corrections' : ''}`, text, { ...valuesOf(search), ...values });

/**
 * Condition that rows of `event` or `timeline` are in the scope of the search. Statements repeat it for both tables; otherwise Citus would
 * query every shard.
 */
const inScope = (alias: 'e' | 'o' | 't', { entity_id }: PeriodSearch): string =>
  `${alias}.tenant = $tenant and ${alias}.namespace_id = $namespace${
    entity_id === undefined ? '' : ` and ${alias}.entity_id = $entity and ${alias}.shard_key = $shard`
  }`;

/** The `from` and `where` clauses for the timelines `t` that may have records. */
const candidates = (search: PeriodSearch): { timelines: string; where: string } =>
  search.recordedFrom
    ? { timelines: changedTimelines(search), where: inScope('t', search) }
    : { timelines: 'timeline t', where: `${inScope('t', search)} and ${mayHaveSteps(search)}` };

/**
 * Condition that a timeline's row does not rule out steps. If nothing was recorded later and nothing happened after the window began,
 * the row contains the current subscription.
 */
function mayHaveSteps({ partner_id, article_code }: PeriodSearch): string {
  const runs = [
    `t.state = 'active'`,
    ...(partner_id === undefined ? [] : ['t.partner_id::text = $partner']),
    ...(article_code === undefined ? [] : ['$article = any(t.article_codes)']),
  ];
  return `(
      t.lifecycle_version is distinct from t.version or coalesce(t.modified_at > $recorded_until, true) or t.lifecycle_at > $from
      or (${runs.join(' and ')})
    )`;
}

/**
 * Timelines with events recorded since `recorded_from`, in the order of the listing, so that reading a page can stop early. Ids contain the
 * creation time, so their index finds these events.
 */
const changedTimelines = (search: PeriodSearch): string => `(
      select e.shard_key, e.tenant, e.namespace_id, e.entity_id, min(e.event_at) as first_change from event e
      where ${inScope('e', search)} and e.event_id >= $least_new_id and e.created_at > $recorded_from and e.created_at <= $recorded_until
        and e.event_type <> 'notification' and e.event_at < $to
      group by e.shard_key, e.tenant, e.namespace_id, e.entity_id
      order by e.entity_id
    ) t`;

/** Which steps of a timeline are read, as SQL expressions. */
interface StepRange {
  /** The instant from which steps are read: those that end earlier are not needed. */
  readonly since: string;
  /** The instant up to which recorded events count. */
  readonly recorded: string;
  /** Maximum number of events that are read; absent if every step is needed. */
  readonly events?: string;
}
const WHOLE_WINDOW: StepRange = { since: '$from', recorded: '$recorded_until' };

/** Joins a timeline `t` to its steps `p`, clipped to the window. */
function joinSteps(search: PeriodSearch, { since, recorded, events }: StepRange): string {
  const ofTimeline = `${sameTimeline('e', 't')} and ${inScope('e', search)} and e.created_at <= ${recorded}`;
  // The first of these events applies at that instant.
  const lifecycle = `
          select e.* from event e where ${ofTimeline} and e.event_type <> 'notification'
            and e.event_at >= coalesce(last.event_at, ${since}) and e.event_at < $to${events === undefined ? '' : ` order by e.event_at limit ${events}`}`;
  const conditions = [
    ...(search.partner_id === undefined ? [] : ['s.partner_id = $partner']),
    ...(search.article_code === undefined ? [] : ['$article in (select json_array_elements_text(s.article_codes))']),
  ];
  return `${joinInForce(since, ofTimeline)}
    cross join lateral (
      select s.shard_key, s.partner_id, greatest(s.began, $from) as began, coalesce(s.ended, $to) as ended, s.article_codes, s.option82,
        s.partner_reference, case when s.began >= $from then s.event_id end as begins, s.ended_by as ends
      from (${selectSteps(lifecycle, IN_FORCE)}) s${
        conditions.length === 0
          ? ''
          : `
      where ${conditions.join(' and ')}`
      }
    ) p`;
}

/** The members of a step in a response. */
const STEP_MEMBERS: readonly JsonMember[] = [
  { name: 'entity_id', sql: 't.entity_id', as: 'plain' },
  { name: 'partner_id', sql: 'p.partner_id', as: 'plain' },
  { name: 'from', sql: eventAtText('p.began'), as: 'plain' },
  { name: 'to', sql: eventAtText('p.ended'), as: 'plain' },
  { name: 'article_codes', sql: 'p.article_codes::text', as: 'json' },
  { name: 'option82', sql: 'p.option82', as: 'text', optional: true },
  { name: 'partner_reference', sql: 'p.partner_reference', as: 'text', optional: true },
  { name: 'begins', sql: 'p.begins', as: 'plain', optional: true },
  { name: 'ends', sql: 'p.ends', as: 'plain', optional: true },
  { name: 'runs_on', sql: '(p.ends is null)::text', as: 'json' },
];
const STEP_JSON = jsonObjectText(STEP_MEMBERS);

const CORRECTION_JSON = jsonObjectText([
  { name: 'entity_id', sql: 't.entity_id', as: 'plain' },
  { name: 'before', sql: `'[' || coalesce(c.before, '') || ']'`, as: 'json' },
  { name: 'after', sql: `'[' || coalesce(c.after, '') || ']'`, as: 'json' },
  { name: 'truncated', sql: `case when c.steps > ${MAX_CORRECTED_STEPS} then 'true' end`, as: 'json', optional: true },
]);

/** The steps, as rows of `entity_id`, `began` and `json`. */
function selectSingleSteps(search: PeriodSearch, condition: string, range: StepRange): string {
  const { timelines, where } = candidates(search);
  return `
      select t.entity_id, p.began, ${STEP_JSON} as json
      from ${timelines} ${joinSteps(search, range)}
      where ${where} and ${condition}`;
}

/**
 * The entities whose steps as recorded before and after differ, with those that only one side has, as rows of `entity_id`, `began` and
 * `json`. Steps that end before the first event recorded in between are the same on both sides, so they are not read.
 *
 * The join is lateral, so that reading a page stops at its last entity instead of comparing the steps of all entities. It reads the table
 * again, because Citus rejects an outer join to rows that do not come from a shard, and it groups by the shard key, because Citus requires
 * that.
 */
function selectCorrections(search: PeriodSearch, condition: string): string {
  const { timelines, where } = candidates(search);
  const range = { since: `greatest($from, t.first_change - interval '1 microsecond')`, recorded: 'r.recorded' };
  const side = (name: string): string =>
    `string_agg(${STEP_JSON}, ',' order by p.began) filter (where p.side = '${name}' and p.place <= ${MAX_CORRECTED_STEPS}) as ${name}`;
  const key =
    't.entity_id, p.shard_key, p.partner_id, p.began, p.ended, p.article_codes::text, p.option82, p.partner_reference, p.begins, p.ends';
  return `
      select t.entity_id, $from::timestamptz as began, ${CORRECTION_JSON} as json
      from ${timelines} cross join lateral (
        select ${side('before')}, ${side('after')}, max(p.place) as steps
        from (
          select p.*, row_number() over (partition by p.shard_key, p.side order by p.began) as place
          from (
            select ${key}, min(r.side) as side
            from (select o.*, t.first_change from timeline o where ${sameTimeline('o', 't')} and ${inScope('o', search)}) t
            cross join (values ('before', $recorded_from::timestamptz), ('after', $recorded_until::timestamptz)) r (side, recorded)
            ${joinSteps(search, range)}
            group by ${key} having count(*) = 1
          ) p
        ) p
        group by p.shard_key
      ) c
      where ${where} and ${condition}`;
}

/** The records of the listing: steps or, with `recordedFrom`, corrections. */
const selectRecords = (search: PeriodSearch, condition = 'true', range = WHOLE_WINDOW): string =>
  search.recordedFrom ? selectCorrections(search, condition) : selectSingleSteps(search, condition, range);

/** A page: rows of `entity_id`, `since_from` and `json`; the row after the page, if there is one, has no `json`. */
export function selectPeriods(search: PeriodSearch, size: number, place?: PeriodPlace): Statement {
  const isFiltered = search.partner_id !== undefined || search.article_code !== undefined;
  const range = {
    ...WHOLE_WINDOW,
    ...(place && { since: 'case when t.entity_id = $first_entity then $since::timestamptz else $from end' }),
    // At least every second event begins a step, and the step after the page only has to be found.
    ...(!isFiltered && { events: '2 * ($size::int + 1)' }),
  };
  return statement(
    'periods-page',
    `
    with found as materialized (
      ${selectRecords(search, place && 't.entity_id >= $first_entity', range)} order by entity_id, began limit $size::int + 1
    )
    select f.entity_id, (extract(epoch from f.began - $from) * 1000000)::float8 as since_from,
      case when f.place <= $size::int and (f.place = 1 or f.bytes <= ${MAX_PAGE_BYTES}) then f.json end as json
    from (
      select f.*, row_number() over page as place, sum(octet_length(f.json) + 1) over page as bytes
      from found f window page as (order by f.entity_id, f.began)
    ) f
    order by f.place`,
    search,
    { size, first_entity: place?.entityId, since: place && search.from.instant.add({ microseconds: place.sinceFrom }).toString() },
  );
}

/** The number of records, as `total`; with more than {@link COUNTED} candidates, extrapolated from the first of them. */
export function countPeriods(search: PeriodSearch): Statement {
  const { timelines, where } = candidates(search);
  return statement(
    'periods-count',
    `
    with candidate as materialized (select t.entity_id from ${timelines} where ${where}),
    counted as (
      select count(*) as records
      from (${selectRecords(search, `t.entity_id <= coalesce((select c.entity_id from candidate c order by c.entity_id offset ${COUNTED - 1} limit 1), '${GREATEST_ID}')`)}) r
    )
    select round(counted.records * greatest(candidates.number, ${COUNTED}) / ${COUNTED}.0)::int as total
    from counted, (select count(*) as number from candidate) candidates`,
    search,
  );
}

/** All steps, for COPY: as columns with a line for each article, or as a single column of JSON. */
export function exportPeriods(format: ExportFormat, search: PeriodSearch): Statement {
  if (format === 'ndjson')
    return statement('periods-json', `select r.json from (${selectRecords(search)}) r order by r.entity_id, r.began`, search);
  const { timelines, where } = candidates(search);
  const columns = STEP_MEMBERS.map(({ name, sql }) => (name === 'article_codes' ? 'a.article_code' : `${sql} as "${name}"`));
  return statement(
    'periods-columns',
    `
    select ${columns.join(', ')}
    from ${timelines} ${joinSteps(search, WHOLE_WINDOW)}
    cross join lateral json_array_elements_text(p.article_codes) with ordinality a (article_code, place)
    where ${where} order by t.entity_id, p.began, a.place`,
    search,
  );
}
