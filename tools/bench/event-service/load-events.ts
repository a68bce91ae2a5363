import type pg from 'pg';
import type { Dataset } from '../dataset.js';

export const TENANT = 'ano.east';
export const NAMESPACE = '00000000-0000-0000-0000-000000000000';
/** When the loaded events took place: from here on, for two years. What the bench records itself, it records later. */
const [BEGIN, END] = [Date.UTC(2024, 0, 1), Date.UTC(2026, 0, 1)];
/** Odd and no divisor of anything near, so that neighbours have lives of different length. */
const STRIDE = 7_919;

/** The shape of a table: every entity has one life, on average as long as the table allows. */
interface Shape {
  entities: number;
  /** Events of the longest life; all lengths from 1 are as frequent. */
  rounds: number;
  /** Milliseconds between two events of the table. */
  step: number;
}

function shapeOf(events: number, entities: number): Shape {
  const rounds = 2 * Math.round(events / entities) - 1;
  return { entities, rounds, step: Math.floor((END - BEGIN) / (entities * rounds)) };
}

export const eventsDataset = (events: number, entities: number): Dataset => ({
  name: `events_${events}_of_${entities}`,
  version: 2,
  records: events,
  tables: ['event', 'timeline'],
  fill: (client) => insertAll(client, shapeOf(events, entities)),
  removeRecorded,
});

async function insertAll(client: pg.Client, { entities, rounds, step }: Shape): Promise<void> {
  const ms = (round: string, n: string): string => `(${BEGIN} + ((${round} - 1)::bigint * ${entities} + ${n}) * ${step})`;
  const time = (msText: string): string => `(timestamptz '1970-01-01T00:00:00Z' + ${msText} * interval '1 millisecond')`;
  const uuid4 = `overlay(overlay(md5('entity ' || n) placing '4' from 13) placing '8' from 17)::uuid`;
  // What the function that adds events would write into the timelines.
  const partner = `('00000000-0000-4000-8000-' || lpad((n % 20)::text, 12, '0'))`;
  const article = (round: string): string => `'FIBRE-' || 100 * (1 + (n + ${round}) % 4)`;
  await client.query(`
    create temp table life on commit drop as
    select n, entity_id, ((get_byte(hash, 0) << 4) | (get_byte(hash, 1) >> 4))::smallint as shard_key, length
    from (select n, ${uuid4} as entity_id, (1 + n::bigint * ${STRIDE} % ${rounds})::int as length from generate_series(0, ${entities - 1}) n) l,
      lateral sha256(convert_to(entity_id::text, 'UTF8')) hash`);
  await client.query(`
    insert into timeline (tenant, namespace_id, entity_id, shard_key, version, deactivated_at, state, state_since, partner_id, article_codes)
    select '${TENANT}', '${NAMESPACE}', entity_id, shard_key, length, case when length >= 10 then ${time(ms('length / 10 * 10', 'n'))} end,
      case when length % 10 = 0 then 'inactive' else 'active' end,
      ${time(`case when length % 10 = 0 then ${ms('length', 'n')} else ${ms('(length / 10 * 10 + 1)', 'n')} end`)},
      case when length % 10 <> 0 then ${partner}::uuid end,
      case when length % 10 <> 0 then array[${article('case when length % 10 = 1 then 0 else length end')}] end
    from life order by n`);
  const sysAttributes = `
    case when $1 % 10 = 1 then '{"article_codes":["FIBRE-' || 100 * (1 + n % 4) || '"],"partner_id":"00000000-0000-4000-8000-' || lpad((n % 20)::text, 12, '0') || '"}'
         when $1 % 10 <> 0 then '{"article_codes":["FIBRE-' || 100 * (1 + (n + $1) % 4) || '"]}' end`;
  // Round by round, so that the events of an entity lie as far apart as they do where many entities live at once.
  for (let round = 1; round <= rounds; round++) {
    await client.query(
      `insert into event (event_id, shard_key, tenant, namespace_id, entity_id, sequence, event_type, event_at, event_timezone, event_date,
         sys_attributes, sys_hash, usr_reference, created_at, modified_at)
       select (lpad(to_hex(ms), 12, '0') || '7' || lpad(to_hex(shard_key::int), 3, '0') || '8' || left(md5(n || ' ' || $1), 15))::uuid,
         shard_key, '${TENANT}', '${NAMESPACE}', entity_id, $1::int, case $1 % 10 when 1 then 'activation' when 0 then 'deactivation' else 'update' end,
         took_place, 'Europe/Vienna', (took_place at time zone 'Europe/Vienna')::date,
         sys::json, left(encode(sha256(convert_to(coalesce(sys, '{}'), 'UTF8')), 'hex'), 32)::uuid, 'order-' || n, took_place, took_place
       from (select l.*, ${ms('$1::int', 'n')} as ms, ${sysAttributes} as sys from life l where length >= $1::int) l, lateral (select ${time('ms')} as took_place) t
       order by n`.replaceAll(/\$1(?!::)/g, '$1::int'),
      [round],
    );
  }
}

/** New entities have ids later than all that were loaded. */
async function removeRecorded(client: pg.Client): Promise<number> {
  const least = `${END.toString(16)
    .padStart(12, '0')
    .replace(/^(.{8})/, '$1-')}-7000-8000-000000000000`;
  const { rowCount } = await client.query(
    `with gone as (delete from event where tenant = $1 and namespace_id = $2 and event_id >= $3 returning tenant, namespace_id, entity_id, shard_key)
     delete from timeline t using gone g
     where t.tenant = g.tenant and t.namespace_id = g.namespace_id and t.entity_id = g.entity_id and t.shard_key = g.shard_key`,
    [TENANT, NAMESPACE, least],
  );
  return rowCount!;
}
