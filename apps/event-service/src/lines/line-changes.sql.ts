import { join, jsonObjectText, type Listing, raw, type RecordsPlace, type Sql, sql, timestampText } from '@fibre/database';
import { LEAST_ID } from '@fibre/changes';
import { NIL as PRODUCTION } from 'uuid';
import type { IspAccess } from '../isps/isp.sql.js';
import { IN_FORCE, joinInForce } from '../timeline/steps.sql.js';
import { eventAtText, inScope } from '../timeline/timeline.sql.js';
import { LINE_JSON } from './lines.sql.js';

/** The members of a line that has ended; `l` is a row of {@link selectChanges}. */
const ENDED_JSON = jsonObjectText([
  { name: 'line_id', sql: 'l.line_id', as: 'plain' },
  { name: 'tenant', sql: 'l.tenant', as: 'plain' },
  { name: 'entity_id', sql: 'l.entity_id', as: 'plain' },
  { name: 'partner_id', sql: 'l.partner_id', as: 'plain' },
  { name: 'option82', sql: 'l.option82', as: 'text', optional: true },
  { name: 'partner_reference', sql: 'l.partner_reference', as: 'text', optional: true },
  { name: 'ended_at', sql: eventAtText('l.ended_at'), as: 'plain' },
]);

const CHANGE_JSON = jsonObjectText([
  { name: 'change', sql: `case when l.ended_at is null then 'upserted' else 'ended' end`, as: 'plain' },
  { name: 'changed_at', sql: timestampText('l.changed_at'), as: 'plain' },
  { name: 'line', sql: `case when l.ended_at is null then ${LINE_JSON} else ${ENDED_JSON} end`, as: 'json' },
]);

const ID = raw('r.line_id, r.tenant, r.entity_id, r.partner_id');

/** What a page of the feed needs. */
interface Feed {
  readonly settled: Sql;
  readonly endedFrom: Sql;
  readonly place: RecordsPlace;
}

/** Lines with the values that they have, or had when they ended. The timeline of a line that runs is the ISP's. */
function selectLinesOf({ tenant }: IspAccess, changedAt: Sql, conditions: Sql, order: Sql): Sql {
  const isOf = inScope({ tenant, namespaceId: PRODUCTION });
  const ended = joinInForce(sql`r.ended_at - interval '1 microsecond'`, sql`${raw(sameRow('e'))} and ${isOf('e')}`);
  return sql`(
      select ${ID}, ${changedAt} as changed_at, r.ended_at, t.state_since as since, array_to_json(t.article_codes)::text as article_codes,
        case when r.ended_at is null then t.option82 else ${raw(IN_FORCE.option82)} end as option82,
        case when r.ended_at is null then t.partner_reference else ${raw(IN_FORCE.partner_reference)} end as partner_reference
      from line_change r join timeline t on ${raw(sameRow('t'))} and ${isOf('t')}${ended}
      where ${conditions} ${order}
    )`;
}

/** SQL condition that a row of another table belongs to the timeline of a line `r`. */
const sameRow = (other: string): string =>
  ['shard_key', 'tenant', 'entity_id'].map((column) => `${other}.${column} = r.${column}`).join(' and ');

/**
 * What an ISP sees at one operator. A line that last changed before the ISP was given the operator's lines changed for it at that moment, and
 * all lines that there were ended for it when they were taken away. Those lines have one time, so they are ordered by their ids, and are read
 * apart from those that changed later: each part has an index in its order.
 */
function partsOf(access: IspAccess, { settled, endedFrom, place: { from, limit } }: Feed): Sql[] {
  const [time, id] = from;
  const isOf = sql`r.tenant = ${access.tenant} and r.partner_id = ${access.partner_id}::uuid`;
  /** Condition that a row of a part whose lines have the same time is on the page. */
  const at = (moment: Sql): Sql => {
    const first =
      id && sql` and ${moment} >= ${time} and r.line_id >= case when ${moment} > ${time} then '${raw(LEAST_ID)}' else ${id} end`;
    return sql`${moment} < ${settled}${first}`;
  };
  if (access.ends_at) {
    const ends = sql`${access.ends_at}::timestamptz`;
    // Nothing that may have changed since then is shown.
    return [
      sql`(
      select ${ID}, ${ends} as changed_at, ${ends} as ended_at, null::timestamptz as since, null as article_codes, null as option82,
        null as partner_reference
      from line_change r
      where ${isOf} and r.created_at < ${ends} and ${ends} >= ${endedFrom} and ${at(ends)} order by r.line_id limit ${limit}
    )`,
    ];
  }
  const begins = sql`${access.begins_at}::timestamptz`;
  // A tenant that gets the lines back hears of those that ended meanwhile, but not of those that it has never had.
  const hadEnded = sql`(r.ended_at is null or ${begins} >= ${endedFrom} and r.changed_at > ${access.first_at}::timestamptz)`;
  const changed = sql`r.changed_at`;
  const later = time && sql` and (r.changed_at, r.line_id) >= (${time}, ${id})`;
  return [
    selectLinesOf(
      access,
      begins,
      sql`${isOf} and ${changed} <= ${begins} and ${hadEnded} and ${at(begins)}`,
      sql`order by r.line_id limit ${limit}`,
    ),
    selectLinesOf(
      access,
      changed,
      sql`${isOf} and ${changed} > ${begins} and ${changed} < ${settled} and (r.ended_at is null or ${changed} >= ${endedFrom})${later}`,
      sql`order by r.changed_at, r.line_id limit ${limit}`,
    ),
  ];
}

/**
 * Lines of an ISP that changed before an instant, ordered by that time.
 *
 * @param accesses at least one
 * @param endedFrom lines that ended earlier are left out
 */
export function lineChanges(accesses: readonly IspAccess[], settled: Date, endedFrom: Date): Listing {
  const times = { settled: sql`${settled}::timestamptz`, endedFrom: sql`${endedFrom}::timestamptz` };
  return {
    label: 'line-changes',
    records: (place) => {
      const parts = accesses.flatMap((access) => partsOf(access, { ...times, place }));
      return sql`select l.* from (${join(parts, ' union all ')}) l order by l.changed_at, l.line_id limit ${place.limit}`;
    },
    rows: sql``,
    order: [
      { column: 'changed_at', type: 'timestamptz' },
      { column: 'line_id', type: 'uuid' },
    ],
    alias: 'l',
    json: CHANGE_JSON,
  };
}
