import type pg from 'pg';
import type { Dataset } from './database.js';

export const EVENT_TENANT = 'ano.east';
export const NAMESPACE = '00000000-0000-0000-0000-000000000000';
/** Period of the loaded events: two years. The bench itself records later events. */
const PERIOD = { begin: Date.UTC(2024, 0, 1), end: Date.UTC(2026, 0, 1) };
/** A step that is coprime to the possible numbers of events, so that consecutive entities have different numbers of events. */
const STRIDE = 7_919;

/** The tenant of an ISP that has all lines of {@link linesDataset}. */
export const ISP_TENANT = 'isp.all';
const ISP_ID = '00000000-0000-4000-8000-000000000000';

/** Valid timelines for this many entities; their lengths range from one event to twice the average. */
export const eventsDataset = (events: number, entities: number): Dataset => ({
  service: 'event-service',
  name: `events_${events}_of_${entities}_v4`,
  records: events,
  tables: ['event', 'timeline'],
  fill: (client) => insertAll(client, entities, 2 * Math.round(events / entities) - 1),
});

/** The same, with a circuit for each entity, `line-0` and so on, and one ISP that has all of them. */
export const linesDataset = (events: number, entities: number): Dataset => ({
  ...eventsDataset(events, entities),
  name: `lines_${events}_of_${entities}_v1`,
  fill: async (client) => {
    await insertAll(client, entities, 2 * Math.round(events / entities) - 1, true);
    const since = new Date(PERIOD.begin - 1).toISOString();
    await client.query(`
      insert into isp (tenant, namespace_id, partner_id, name, isp_tenant, created_at)
      values ('${EVENT_TENANT}', '${NAMESPACE}', '${ISP_ID}', 'Everybody''s', '${ISP_TENANT}', '${since}')`);
    await client.query(`
      insert into isp_access (isp_tenant, tenant, partner_id, first_at, begins_at)
      values ('${ISP_TENANT}', '${EVENT_TENANT}', '${ISP_ID}', '${since}', '${since}')`);
  },
});

async function insertAll(client: pg.Client, entities: number, longest: number, isOneIsp = false): Promise<void> {
  const step = Math.floor((PERIOD.end - PERIOD.begin) / (entities * longest));
  const ms = (round: string): string => `(${PERIOD.begin} + ((${round} - 1)::bigint * ${entities} + n) * ${step})`;
  const time = (milliseconds: string): string => `(timestamptz '1970-01-01T00:00:00Z' + ${milliseconds} * interval '1 millisecond')`;
  const uuid4 = `overlay(overlay(md5('entity ' || n) placing '4' from 13) placing '8' from 17)::uuid`;
  const partner = isOneIsp ? `'${ISP_ID}'` : `('00000000-0000-4000-8000-' || lpad((n % 20)::text, 12, '0'))`;
  const circuit = `'line-' || n`;
  const article = (round: string): string => `'FIBRE-' || 100 * (1 + (n + ${round}) % 4)`;
  const eventId = (milliseconds: string, round: string): string =>
    `(lpad(to_hex(${milliseconds}), 12, '0') || '7' || lpad(to_hex(shard_key::int), 3, '0') || '8' || left(md5(n || ' ' || ${round}), 15))::uuid`;
  await client.query(`
    create temp table life on commit drop as
    select n, entity_id, ((get_byte(hash, 0) << 4) | (get_byte(hash, 1) >> 4))::smallint as shard_key, length
    from (select n, ${uuid4} as entity_id, (1 + n::bigint * ${STRIDE} % ${longest})::int as length from generate_series(0, ${entities - 1}) n) l,
      lateral sha256(convert_to(entity_id::text, 'UTF8')) hash`);
  // Stores the same timelines as the function that appends events. Every tenth event is a deactivation, and the next one an activation.
  await client.query(`
    insert into timeline (tenant, namespace_id, entity_id, shard_key, version, deactivated_at, state, state_since, partner_id, article_codes,
      option82, lifecycle_at, created_at, modified_at, last_event_id)
    select '${EVENT_TENANT}', '${NAMESPACE}', entity_id, shard_key, length, case when length >= 10 then ${time(ms('length / 10 * 10'))} end,
      case when length % 10 = 0 then 'inactive' else 'active' end,
      ${time(`case when length % 10 = 0 then ${ms('length')} else ${ms('(length / 10 * 10 + 1)')} end`)},
      case when length % 10 <> 0 then ${partner}::uuid end,
      case when length % 10 <> 0 then array[${article('case when length % 10 = 1 then 0 else length end')}] end,
      ${isOneIsp ? `case when length % 10 <> 0 then ${circuit} end` : 'null'},
      ${time(ms('length'))}, ${time(ms('1'))}, ${time(ms('length'))}, ${eventId(ms('length'), 'length')}
    from life order by n`);
  const sysAttributes = `
    case when $1 % 10 = 1 then '{"article_codes":["' || ${article('0')} || '"],${isOneIsp ? `"option82":"' || ${circuit} || '",` : ''}"partner_id":"' || ${partner} || '"}'
         when $1 % 10 <> 0 then '{"article_codes":["' || ${article('$1')} || '"]}' end`;
  // One event of each entity per round, so that the events of an entity are as far apart as if many entities were active at once.
  for (let round = 1; round <= longest; round++) {
    await client.query(
      `insert into event (event_id, shard_key, tenant, namespace_id, entity_id, sequence, event_type, event_at, event_timezone, event_date,
         sys_attributes, sys_hash, usr_reference, created_at, modified_at)
       select ${eventId('ms', '$1')},
         shard_key, '${EVENT_TENANT}', '${NAMESPACE}', entity_id, $1, case $1 % 10 when 1 then 'activation' when 0 then 'deactivation' else 'update' end,
         took_place, 'Europe/Vienna', (took_place at time zone 'Europe/Vienna')::date,
         sys::json, left(encode(sha256(convert_to(coalesce(sys, '{}'), 'UTF8')), 'hex'), 32)::uuid, 'order-' || n, took_place, took_place
       from (select l.*, ${ms('$1')} as ms, ${sysAttributes} as sys from life l where length >= $1) l, lateral (select ${time('ms')} as took_place) t
       order by n`.replaceAll('$1', '$1::int'),
      [round],
    );
  }
}
