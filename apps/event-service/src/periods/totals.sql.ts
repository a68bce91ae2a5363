import { bound, type JsonMember, type Listing, raw, type Sql, sql, type Statement, statement } from '@fibre/database';
import type { ExportFormat } from '../event-lists/event-lists.requests.js';
import { dayStarts } from '../timeline/period-window.js';
import { bind, hasChanged, joinSteps, jsonOf, type PeriodSearch, runs, windowAndStepBefore } from './period-steps.sql.js';

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
/** The counts as columns, each on a line of its own. */
const counts = (sqlOf: (name: Count) => string): Sql => raw(COUNTED.map((name) => `${sqlOf(name)} as ${name}`).join(',\n            '));

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
 * timelines' rows are all that is read of them: they have days, but nothing of theirs begins or ends. `npm run bench -- growth --only event`
 * prints what that saves: a month takes no longer with ten times as many events.
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
  const ofArticle =
    values.article &&
    sql`
        where a.article_code = ${values.article}`;
  /** How many times a list of articles has the article `c`. */
  const timesIn = (articles: string): Sql =>
    raw(`
            select count(*) as times
            from json_array_elements_text(${articles}) o (code)
            where o.code collate "C" = c.article_code`);
  return sql`
      select s.*, row_number() over (order by s.partner_id collate "C", s.article_code)::float8 as ordinal
      from (
        select
          a.tenant,
          a.partner_id,
          a.article_code,
          sum(a.entities) as entities,
          round(round(sum(a.days), 12), 2) as days,
          ${counts((name) => `sum(a.${name})`)}
        from (
          select
            q.tenant,
            q.partner_id,
            c.article_code,
            q.entities,
            q.entities * c.times * w.days as days,
            ${counts(() => '0')}
          from (
            select t.tenant, t.partner_id::text as partner_id, t.article_codes, count(*) as entities
            from timeline t
            where ${values.isOf('t')}
              and not ${hasChanged(values)}
              and ${runs(values)}
            group by t.tenant, t.partner_id, t.article_codes
          ) q
          cross join lateral (
            select code collate "C" as article_code, count(*) as times
            from unnest(q.article_codes) code
            group by code collate "C"
          ) c
          cross join (
            select ${days(sql`${values.to}::timestamptz`)} - ${days(sql`${values.from}::timestamptz`)} as days
            offset 0
          ) w
          union all
          select
            t.tenant,
            p.partner_id,
            c.article_code,
            count(distinct t.entity_id) filter (where p.began < p.ended),
            sum(c.times * d.days),
            ${counts((name) => `sum(${COUNTS[name]})`)}
          from timeline t ${joinSteps(values, windowAndStepBefore(values), [])}
          cross join lateral (
            select ${days(sql`p.ended`)} - ${days(sql`p.began`)} as days
          ) d
          cross join lateral (
            select o.code collate "C" as article_code, count(*) as times
            from json_array_elements_text(p.article_codes) o (code)
            group by o.code collate "C"
          ) c
          cross join lateral (${timesIn(`case p.begins_by when 'update' then p.articles_before end`)}
          ) b
          cross join lateral (${timesIn(`case p.ends_by when 'update' then p.articles_after end`)}
          ) a
          where ${values.isOf('t')}
            and ${hasChanged(values)}
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
    records: ({ from: [place], limit }) => sql`
      select t.*
      from (${totals}) t${
        place &&
        sql`
      where t.ordinal >= ${place}`
      }
      order by t.ordinal
      limit ${limit}`,
    rows: totals,
    order: [{ column: 'ordinal', type: 'float8' }],
    alias: 't',
    json: jsonOf(TOTAL_MEMBERS, search),
  };
}

/** All totals, for COPY. */
export function exportTotals(format: ExportFormat, search: PeriodSearch): Statement {
  const columns = format === 'csv' ? raw(TOTAL_MEMBERS.map(({ name }) => `t.${name}`).join(', ')) : raw(jsonOf(TOTAL_MEMBERS, search));
  return statement(`periods-totals-${format}`)`
    select ${columns}
    from (${selectTotals(search)}) t
    order by t.ordinal`;
}
