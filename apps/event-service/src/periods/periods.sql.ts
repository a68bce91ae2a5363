import { type JsonMember, type Listing, MAX_EXACT_TOTAL, raw, type Sql, sql, type Statement, statement } from '@fibre/database';
import type { ExportFormat } from '../event-lists/event-lists.requests.js';
import { eventAtText, sameTimeline } from '../timeline/timeline.sql.js';
import { bind, type Bound, candidates, joinSteps, jsonOf, type PeriodSearch, wholeWindow } from './period-steps.sql.js';

/** Maximum number of steps that a correction lists in `before`, and in `after`. */
const MAX_CORRECTED_STEPS = 1_000;

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
const STEP_JSON = raw(jsonOf(STEP_MEMBERS, {}));

const CORRECTION_MEMBERS: readonly JsonMember[] = [
  { name: 'entity_id', sql: 't.entity_id', as: 'plain' },
  { name: 'before', sql: `'[' || coalesce(c.before, '') || ']'`, as: 'json' },
  { name: 'after', sql: `'[' || coalesce(c.after, '') || ']'`, as: 'json' },
  { name: 'truncated', sql: `case when c.steps > ${MAX_CORRECTED_STEPS} then 'true' end`, as: 'json', optional: true },
];

/** The steps, as rows of `entity_id`, `since_from` and `json`. */
function selectSingleSteps(search: Bound, condition: Sql, range: Parameters<typeof joinSteps>[1]): Sql {
  const { timelines, where } = candidates(search);
  return sql`
      select
        t.entity_id,
        (extract(epoch from p.began - ${search.from}) * 1000000)::float8 as since_from,
        ${raw(jsonOf(STEP_MEMBERS, search))} as json
      from ${timelines} ${joinSteps(search, range)}
      where ${where}
        and ${condition}`;
}

/** What makes two steps of an entity the same. */
const STEP_KEY = raw(
  [
    't.entity_id',
    'p.shard_key',
    'p.partner_id',
    'p.began',
    'p.ended',
    'p.article_codes::text',
    'p.option82',
    'p.partner_reference',
    'p.begins',
    'p.begins_by',
    'p.ends',
    'p.ends_by',
  ].join(', '),
);

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
  const side = (name: string): Sql => sql`
          string_agg(${STEP_JSON}, ',' order by p.began)
            filter (where p.side = '${raw(name)}' and p.place <= ${raw(MAX_CORRECTED_STEPS)}) as ${raw(name)}`;
  return sql`
      select t.entity_id, 0::float8 as since_from, ${raw(jsonOf(CORRECTION_MEMBERS, search))} as json
      from ${timelines}
      cross join lateral (
        select ${side('before')}, ${side('after')},
          max(p.place) as steps
        from (
          select p.*, row_number() over (partition by p.shard_key, p.side order by p.began) as place
          from (
            select ${STEP_KEY}, min(r.side) as side
            from (
              select o.*, t.first_change
              from timeline o
              where ${raw(sameTimeline('o', 't'))}
                and ${search.isOf('o')}
            ) t
            cross join (
              values ('before', ${recordedFrom}::timestamptz), ('after', ${recordedUntil}::timestamptz)
            ) r (side, recorded)
            ${joinSteps(search, range)}
            group by ${STEP_KEY}
            having count(*) = 1
          ) p
        ) p
        group by p.shard_key
      ) c
      where ${where}
        and ${condition}`;
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
      const since = sql`
        case
          when t.entity_id = ${entity} then ${values.from}::timestamptz + ${sinceFrom} * interval '1 microsecond'
          else ${values.from}
        end`;
      const range = { ...wholeWindow(values), ...(entity && { since }), events: mostEvents(search, limit) };
      return sql`${selectRecords(values, entity && sql`t.entity_id >= ${entity}`, range)}
      order by entity_id, since_from
      limit ${limit}`;
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
    return statement('periods-json')`
    select r.json
    from (${selectRecords(values)}) r
    order by r.entity_id, r.since_from`;
  const { timelines, where } = candidates(values);
  return statement('periods-columns')`
    select ${COLUMNS}
    from ${timelines} ${joinSteps(values, wholeWindow(values))}
    cross join lateral json_array_elements_text(p.article_codes) with ordinality a (article_code, place)
    where ${where}
    order by t.entity_id, p.began, a.place`;
}
