import {
  bound,
  given,
  join,
  type JsonMember,
  jsonObjectText,
  type Listing,
  MAX_EXACT_TOTAL,
  raw,
  type Sql,
  sql,
  type Statement,
  statement,
} from '@fibre/database';
import type { ExportFormat } from '../event-lists/event-lists.requests.js';
import { leastIdAt } from '../timeline/event-id.js';
import { IN_FORCE, joinInForce, KEPT, type Kept, selectSteps } from '../timeline/steps.sql.js';
import { eventAtText, inScope, sameTimeline } from '../timeline/timeline.sql.js';
import type { TimelineKey } from '../timeline/timeline.js';
import { dayStarts, type Window } from '../timeline/period-window.js';

/** Selects the steps of a window, as recorded up to an instant. Absent filters are ignored. */
export interface PeriodSearch extends Pick<TimelineKey, 'tenant' | 'namespaceId'>, Window {
  readonly recordedUntil: Date;
  /** If set, searches for corrections: entities whose steps differ from those recorded up to this instant. */
  readonly recordedFrom?: Date;
  readonly partner_id?: string;
  readonly entity_id?: string;
  readonly article_code?: string;
  /** Whether records name the tenant, because the caller sees those of several. */
  readonly showsTenant?: boolean;
}

/** Maximum number of steps that a correction lists in `before`, and in `after`. */
const MAX_CORRECTED_STEPS = 1_000;

/** The parts of a statement that bind the values of a search. */
const bind = ({ tenant, namespaceId, from, to, recordedUntil, recordedFrom, showsTenant, ...filters }: PeriodSearch) => ({
  showsTenant,
  isOf: inScope({ tenant, namespaceId, entityId: filters.entity_id }),
  from: bound(from.utc),
  to: bound(to.utc),
  recordedUntil: bound(recordedUntil),
  recordedFrom: given(recordedFrom, bound),
  leastNewId: given(recordedFrom, (since) => bound(leastIdAt(since.getTime()))),
  partner: given(filters.partner_id, bound),
  article: given(filters.article_code, bound),
});
type Bound = ReturnType<typeof bind>;

/** The `from` and `where` clauses for the timelines `t` that may have records. */
const candidates = (search: Bound): { timelines: Sql; where: Sql } =>
  search.recordedFrom
    ? { timelines: changedTimelines(search), where: search.isOf('t') }
    : { timelines: sql`timeline t`, where: sql`${search.isOf('t')} and ${mayHaveSteps(search)}` };

/** Condition that a timeline's row does not rule out steps. */
const mayHaveSteps = (search: Bound): Sql => sql`(${hasChanged(search)} or (${runs(search)}))`;

/**
 * Condition that something was recorded later, or happened since the window began. Otherwise, the timeline's row contains the subscription
 * of the whole window, if there is one.
 */
const hasChanged = ({ recordedUntil, from }: Bound): Sql => sql`(t.modified_at > ${recordedUntil} or t.lifecycle_at >= ${from})`;

/** Condition that the subscription in a timeline's row runs, and passes the filters. */
const runs = ({ partner, article }: Bound): Sql =>
  join(
    [sql`t.state = 'active'`, partner && sql`t.partner_id::text = ${partner}`, article && sql`${article} = any(t.article_codes)`],
    ' and ',
  );

/**
 * Timelines with events recorded since `recorded_from`, in the order of the listing, so that reading a page can stop early. Ids contain the
 * creation time, so their index finds these events.
 */
const changedTimelines = (search: Bound): Sql => sql`(
      select e.shard_key, e.tenant, e.namespace_id, e.entity_id, min(e.event_at) as first_change from event e
      where ${search.isOf('e')} and e.event_id >= ${search.leastNewId} and e.created_at > ${search.recordedFrom} and e.created_at <= ${search.recordedUntil}
        and e.event_type <> 'notification' and e.event_at < ${search.to}
      group by e.shard_key, e.tenant, e.namespace_id, e.entity_id
      order by e.entity_id
    ) t`;

/** Which steps of a timeline are read, as SQL expressions. */
interface StepRange {
  /** The instant from which steps are read: those that end earlier are not needed. */
  readonly since: Sql;
  /** The instant up to which recorded events count. */
  readonly recorded: Sql;
  /** Maximum number of events that are read; absent if every step is needed. */
  readonly events?: Sql;
}
const wholeWindow = ({ from, recordedUntil }: Bound): StepRange => ({ since: from, recorded: recordedUntil });
/** Also has the step that an event at the very start of the window ended, which lasts no time in it. */
const windowAndStepBefore = ({ from, recordedUntil }: Bound): StepRange => ({
  since: sql`${from}::timestamptz - interval '1 microsecond'`,
  recorded: recordedUntil,
});

/** Joins a timeline `t` to its steps `p`, clipped to the window. @param members the members of a step that are needed, if not all */
function joinSteps(search: Bound, { since, recorded, events }: StepRange, members?: readonly Kept[]): Sql {
  const { from, to, partner, article } = search;
  const ofTimeline = sql`${raw(sameTimeline('e', 't'))} and ${search.isOf('e')} and e.created_at <= ${recorded}`;
  // The first of these events applies at that instant.
  const lifecycle = sql`
          select e.* from event e where ${ofTimeline} and e.event_type <> 'notification'
            and e.event_at >= coalesce(last.event_at, ${since}) and e.event_at < ${to}${events && sql` order by e.event_at limit ${events}`}`;
  const conditions = [
    partner && sql`s.partner_id = ${partner}`,
    article && sql`${article} in (select json_array_elements_text(s.article_codes))`,
  ].filter((condition) => condition !== undefined);
  const where =
    conditions.length === 0
      ? undefined
      : sql`
      where ${join(conditions, ' and ')}`;
  return sql`${joinInForce(since, ofTimeline, members)}
    cross join lateral (
      select s.shard_key, s.partner_id, greatest(s.began, ${from}) as began, coalesce(s.ended, ${to}) as ended, s.article_codes,${raw((members ?? KEPT).map((member) => ` s.${member},`).join(''))}
        case when s.began >= ${from} then s.event_id end as begins, case when s.began >= ${from} then s.event_type end as begins_by,
        s.ended_by as ends, s.ended_by_type as ends_by, s.articles_before, s.articles_after
      from (${selectSteps(lifecycle, IN_FORCE, members)}) s${where}
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
  { name: 'begins_by', sql: 'p.begins_by', as: 'plain', optional: true },
  { name: 'ends', sql: 'p.ends', as: 'plain', optional: true },
  { name: 'ends_by', sql: 'p.ends_by', as: 'plain', optional: true },
  { name: 'runs_on', sql: '(p.ends is null)::text', as: 'json' },
];
const TENANT: JsonMember = { name: 'tenant', sql: 't.tenant', as: 'plain' };
/** SQL expression for the members as JSON, with the tenant if the search asks for it. */
const jsonOf = (members: readonly JsonMember[], { showsTenant }: Pick<PeriodSearch, 'showsTenant'>): string =>
  jsonObjectText(showsTenant ? [...members, TENANT] : members);
const STEP_JSON = raw(jsonOf(STEP_MEMBERS, {}));

const CORRECTION_MEMBERS: readonly JsonMember[] = [
  { name: 'entity_id', sql: 't.entity_id', as: 'plain' },
  { name: 'before', sql: `'[' || coalesce(c.before, '') || ']'`, as: 'json' },
  { name: 'after', sql: `'[' || coalesce(c.after, '') || ']'`, as: 'json' },
  { name: 'truncated', sql: `case when c.steps > ${MAX_CORRECTED_STEPS} then 'true' end`, as: 'json', optional: true },
];

/** The steps, as rows of `entity_id`, `since_from` and `json`. */
function selectSingleSteps(search: Bound, condition: Sql, range: StepRange): Sql {
  const { timelines, where } = candidates(search);
  return sql`
      select t.entity_id, (extract(epoch from p.began - ${search.from}) * 1000000)::float8 as since_from, ${raw(jsonOf(STEP_MEMBERS, search))} as json
      from ${timelines} ${joinSteps(search, range)}
      where ${where} and ${condition}`;
}

/**
 * The entities whose steps as recorded before and after differ, with those that only one side has, as rows of `entity_id`, `since_from` and
 * `json`. Steps that end before the first event recorded in between are the same on both sides, so they are not read.
 *
 * The join is lateral, so that reading a page stops at its last entity instead of comparing the steps of all entities. It reads the table
 * again, because Citus rejects an outer join to rows that do not come from a shard, and it groups by the shard key, because Citus requires
 * that.
 */
function selectCorrections(search: Bound, condition: Sql): Sql {
  const { timelines, where } = candidates(search);
  const { from, recordedFrom, recordedUntil } = search;
  const range = { since: sql`greatest(${from}, t.first_change - interval '1 microsecond')`, recorded: sql`r.recorded` };
  const side = (name: string): Sql =>
    sql`string_agg(${STEP_JSON}, ',' order by p.began) filter (where p.side = '${raw(name)}' and p.place <= ${raw(MAX_CORRECTED_STEPS)}) as ${raw(name)}`;
  const key = raw(
    't.entity_id, p.shard_key, p.partner_id, p.began, p.ended, p.article_codes::text, p.option82, p.partner_reference, p.begins, p.begins_by, p.ends, p.ends_by',
  );
  return sql`
      select t.entity_id, 0::float8 as since_from, ${raw(jsonOf(CORRECTION_MEMBERS, search))} as json
      from ${timelines} cross join lateral (
        select ${side('before')}, ${side('after')}, max(p.place) as steps
        from (
          select p.*, row_number() over (partition by p.shard_key, p.side order by p.began) as place
          from (
            select ${key}, min(r.side) as side
            from (select o.*, t.first_change from timeline o where ${raw(sameTimeline('o', 't'))} and ${search.isOf('o')}) t
            cross join (values ('before', ${recordedFrom}::timestamptz), ('after', ${recordedUntil}::timestamptz)) r (side, recorded)
            ${joinSteps(search, range)}
            group by ${key} having count(*) = 1
          ) p
        ) p
        group by p.shard_key
      ) c
      where ${where} and ${condition}`;
}

/** The records of the listing: steps or, with `recordedFrom`, corrections. */
const selectRecords = (search: Bound, condition = sql`true`, range = wholeWindow(search)): Sql =>
  search.recordedFrom ? selectCorrections(search, condition) : selectSingleSteps(search, condition, range);

/** At least every second event begins a step, and the step after the last record only has to be found; a filter may skip any number. */
const mostEvents = ({ partner_id, article_code }: PeriodSearch, records: Sql): Sql | undefined =>
  partner_id === undefined && article_code === undefined ? sql`2 * (${records})` : undefined;

/** The listing, ordered by entity and, within an entity, by the microseconds from the start of the window to that of the step. */
export function periodListing(search: PeriodSearch): Listing {
  const values = bind(search);
  return {
    label: `periods${search.recordedFrom ? '-corrections' : ''}`,
    records: ({ from: [entity, sinceFrom], limit }) => {
      const since = sql`case when t.entity_id = ${entity} then ${values.from}::timestamptz + ${sinceFrom} * interval '1 microsecond' else ${values.from} end`;
      const range = { ...wholeWindow(values), ...(entity && { since }), events: mostEvents(search, limit) };
      return sql`${selectRecords(values, entity && sql`t.entity_id >= ${entity}`, range)} order by entity_id, since_from limit ${limit}`;
    },
    rows: selectRecords(values, undefined, { ...wholeWindow(values), events: mostEvents(search, sql`${raw(MAX_EXACT_TOTAL)} + 1`) }),
    order: [
      { column: 'entity_id', type: 'uuid' },
      { column: 'since_from', type: 'float8' },
    ],
    alias: 'p',
    json: 'p.json',
  };
}

const COLUMNS = raw(STEP_MEMBERS.map(({ name, sql }) => (name === 'article_codes' ? 'a.article_code' : `${sql} as "${name}"`)).join(', '));

/** All steps, for COPY: as columns with a line for each article, or as a single column of JSON. */
export function exportPeriods(format: ExportFormat, search: PeriodSearch): Statement {
  const values = bind(search);
  if (format === 'ndjson')
    return statement('periods-json')`select r.json from (${selectRecords(values)}) r order by r.entity_id, r.since_from`;
  const { timelines, where } = candidates(values);
  return statement('periods-columns')`
    select ${COLUMNS}
    from ${timelines} ${joinSteps(values, wholeWindow(values))}
    cross join lateral json_array_elements_text(p.article_codes) with ordinality a (article_code, place)
    where ${where} order by t.entity_id, p.began, a.place`;
}

/**
 * How often an article begins or ends in a step `p`, as columns of a total. `c` is the article with the number of times that the step names
 * it; `b` and `a` have the numbers of the step before and of the step after. An update only counts the times that it adds or removes.
 */
const COUNTS = {
  started: `case p.begins_by when 'activation' then c.times else 0 end`,
  added: `case p.begins_by when 'update' then greatest(c.times - b.times, 0) else 0 end`,
  removed: `case p.ends_by when 'update' then greatest(c.times - a.times, 0) else 0 end`,
  ended: `case p.ends_by when 'deactivation' then c.times else 0 end`,
};
type Count = keyof typeof COUNTS;
const COUNTED = Object.keys(COUNTS) as Count[];
/** The counts as columns. */
const counts = (sqlOf: (name: Count) => string): Sql => raw(COUNTED.map((name) => `${sqlOf(name)} as ${name}`).join(', '));

/** The members of a total in a response. */
const TOTAL_MEMBERS: readonly JsonMember[] = [
  { name: 'partner_id', sql: 't.partner_id', as: 'plain' },
  { name: 'article_code', sql: 't.article_code', as: 'text' },
  { name: 'entities', sql: 't.entities::text', as: 'json' },
  { name: 'days', sql: 't.days::text', as: 'json' },
  ...COUNTED.map((name): JsonMember => ({ name, sql: `t.${name}::text`, as: 'json' })),
];

/**
 * The totals in their order, as rows of the members and `ordinal`, from 1. Most subscriptions do not change in a window, and their
 * timelines' rows are all that is read of them: they have days, but nothing of theirs begins or ends.
 *
 * A part of a day, such as 8 of 24 hours, is not exact: three of them may add up to 0.99999999999999999999. Sums are rounded to 12 decimals
 * first (a microsecond is 0.00000000001 days), so that such a sum is not rounded down.
 */
function selectTotals(search: PeriodSearch): Sql {
  const values = bind(search);
  const starts = sql`${bound(`{${dayStarts(search).join(',')}}`)}::bigint[]`;
  /** An instant in local days since the day before the window's first, each of which counts as one, however long it is. */
  const days = (instant: Sql): Sql => {
    // The epoch of a time with its zone depends on the session for PostgreSQL, so Citus does not leave it to its workers.
    const time = sql`(extract(epoch from ${instant} at time zone 'UTC') * 1000000)::bigint`;
    const day = sql`width_bucket(${time}, ${starts})`;
    return sql`(${day} + (${time} - (${starts})[${day}])::numeric / ((${starts})[${day} + 1] - (${starts})[${day}]))`;
  };
  const ofArticle = values.article && sql` where a.article_code = ${values.article}`;
  /** How many times a list of articles has the article `c`. */
  const timesIn = (articles: string): Sql =>
    raw(`select count(*) as times from json_array_elements_text(${articles}) o (code) where o.code collate "C" = c.article_code`);
  return sql`
      select s.*, row_number() over (order by s.partner_id collate "C", s.article_code)::float8 as ordinal
      from (
        select a.tenant, a.partner_id, a.article_code, sum(a.entities) as entities, round(round(sum(a.days), 12), 2) as days,
          ${counts((name) => `sum(a.${name})`)}
        from (
          select q.tenant, q.partner_id, c.article_code, q.entities, q.entities * c.times * w.days as days, ${counts(() => '0')}
          from (
            select t.tenant, t.partner_id::text as partner_id, t.article_codes, count(*) as entities
            from timeline t where ${values.isOf('t')} and not ${hasChanged(values)} and ${runs(values)}
            group by t.tenant, t.partner_id, t.article_codes
          ) q
          cross join lateral (
            select code collate "C" as article_code, count(*) as times from unnest(q.article_codes) code group by code collate "C"
          ) c
          cross join (select ${days(sql`${values.to}::timestamptz`)} - ${days(sql`${values.from}::timestamptz`)} as days offset 0) w
          union all
          select t.tenant, p.partner_id, c.article_code, count(distinct t.entity_id) filter (where p.began < p.ended), sum(c.times * d.days),
            ${counts((name) => `sum(${COUNTS[name]})`)}
          from timeline t ${joinSteps(values, windowAndStepBefore(values), [])}
          cross join lateral (select ${days(sql`p.ended`)} - ${days(sql`p.began`)} as days) d
          cross join lateral (
            select o.code collate "C" as article_code, count(*) as times from json_array_elements_text(p.article_codes) o (code)
            group by o.code collate "C"
          ) c
          cross join lateral (${timesIn(`case p.begins_by when 'update' then p.articles_before end`)}) b
          cross join lateral (${timesIn(`case p.ends_by when 'update' then p.articles_after end`)}) a
          where ${values.isOf('t')} and ${hasChanged(values)}
          group by t.tenant, p.partner_id, c.article_code
        ) a${ofArticle}
        group by a.tenant, a.partner_id, a.article_code
      ) s`;
}

/** Entities, days and counts of each partner and article. */
export function totalListing(search: PeriodSearch): Listing {
  const totals = selectTotals(search);
  return {
    label: 'periods-totals',
    records: ({ from: [place], limit }) =>
      sql`select t.* from (${totals}) t${place && sql` where t.ordinal >= ${place}`} order by t.ordinal limit ${limit}`,
    rows: totals,
    order: [{ column: 'ordinal', type: 'float8' }],
    alias: 't',
    json: jsonOf(TOTAL_MEMBERS, search),
  };
}

/** All totals, for COPY. */
export function exportTotals(format: ExportFormat, search: PeriodSearch): Statement {
  const columns = format === 'csv' ? raw(TOTAL_MEMBERS.map(({ name }) => `t.${name}`).join(', ')) : raw(jsonOf(TOTAL_MEMBERS, search));
  return statement(`periods-totals-${format}`)`select ${columns} from (${selectTotals(search)}) t order by t.ordinal`;
}
