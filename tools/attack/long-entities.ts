import { createHash } from 'node:crypto';
import type pg from 'pg';
import type { Dataset } from '../bench/setup/database.js';
import { EVENT_TENANT, eventsDataset, NAMESPACE } from '../bench/setup/events.js';

export const LONG_ENTITIES_BEGIN = Date.UTC(2026, 0, 1);
export const LONG_ENTITIES = [
  { id: '00000000-0000-4000-8000-0000000000a1', updates: 100_000, articles: ['FIBRE-100'] },
  {
    id: '00000000-0000-4000-8000-0000000000a2',
    updates: 20_000,
    articles: Array.from({ length: 64 }, (_, n) => `FIBRE-${n}`.padEnd(64, '-')),
  },
] as const;

const ordinary = eventsDataset(200_000, 2_000);
/** The timelines of the benchmarks, and two with an update each second. */
export const eventsWithLongEntities: Dataset = {
  ...ordinary,
  name: `${ordinary.name}_and_long_v1`,
  fill: async (client) => {
    await ordinary.fill(client);
    for (const entity of LONG_ENTITIES) await insert(client, entity);
  },
};

async function insert(client: pg.Client, { id, updates, articles }: (typeof LONG_ENTITIES)[number]): Promise<void> {
  const shardKey = createHash('sha256').update(id).digest().readUInt16BE(0) >> 4;
  const keys = [shardKey, EVENT_TENANT, NAMESPACE, id, updates + 1];
  await client.query(
    `insert into timeline (shard_key, tenant, namespace_id, entity_id, version, state, state_since, lifecycle_at, created_at, modified_at, last_event_id)
     values ($1, $2, $3, $4, $5, 'active', now(), now(), now(), now(), $4)`,
    keys,
  );
  await client.query(
    `insert into event (shard_key, tenant, namespace_id, entity_id, sequence, event_id, event_type, event_at, event_timezone, event_date,
       sys_attributes, sys_hash, created_at, modified_at)
     select $1::smallint, $2, $3, $4, n, (lpad(to_hex(ms), 12, '0') || '7' || lpad(to_hex($1::smallint::int), 3, '0') || '8000000000000000')::uuid,
       case n when 1 then 'activation' else 'update' end, at, 'UTC', at::date, case n when 1 then $6::json else $7::json end, md5('x')::uuid, at, at
     from generate_series(1, $5::int) n, lateral (select ${LONG_ENTITIES_BEGIN} + n * 1000::bigint as ms) m, lateral (select to_timestamp(ms / 1000) as at) t`,
    [...keys, { partner_id: NAMESPACE, article_codes: articles }, { article_codes: articles }],
  );
}
