import { volume } from '@fibre/testing/volume';
import { MAX_EXACT_TOTAL } from '@fibre/database';
import { NIL as PRODUCTION } from 'uuid';
import { leastIdAt, shardKeyOf } from '../../src/timeline/event-id.js';
import { newEntity, PARTNER, sql, startEvents } from '../events/events.js';
import { billingOf, type Query, SETTLED_SOON } from './periods.js';

/** With full volume, more entities than are counted one by one; only the last of them have the rare article. */
const [ENTITIES, RARE] = [volume(1_200, 12_000), 600];
const RECORDED = Date.UTC(2026, 0, 20);
const TENANT = 'ano.count';

let service: Awaited<ReturnType<typeof startEvents>>['service'];

/** Each entity has an activation in January. */
beforeAll(async () => {
  ({ service } = await startEvents(SETTLED_SOON));
  const entities = Array.from({ length: ENTITIES }, newEntity).sort();
  const rows = [
    entities,
    entities.map(shardKeyOf),
    entities.map((_, index) => leastIdAt(RECORDED).slice(0, 24) + index.toString(16).padStart(12, '0')),
    entities.map((_, index) => JSON.stringify({ partner_id: PARTNER, article_codes: index < ENTITIES - RARE ? ['A'] : ['A', 'RARE'] })),
  ];
  const from = `from unnest($1::uuid[], $2::smallint[], $3::uuid[], $4::text[]) e (entity_id, shard_key, event_id, attributes)`;
  await sql(
    service.databaseUrl,
    `insert into timeline (shard_key, tenant, namespace_id, entity_id, version, state, state_since, lifecycle_at, partner_id, article_codes, created_at,
       modified_at, last_event_id)
     select e.shard_key, $5, $6::uuid, e.entity_id, 1, 'active', $7::timestamptz, $7::timestamptz, $8, array['A'], $7::timestamptz, $7::timestamptz, e.event_id ${from}`,
    [...rows, TENANT, PRODUCTION, new Date(RECORDED), PARTNER],
  );
  await sql(
    service.databaseUrl,
    `insert into event (shard_key, tenant, namespace_id, entity_id, sequence, event_id, event_type, event_at, event_timezone, event_date,
       sys_attributes, sys_hash, created_at, modified_at)
     select e.shard_key, $5, $6::uuid, e.entity_id, 1, e.event_id, 'activation', $7::timestamptz, 'UTC', current_date, e.attributes::json, $6::uuid, $7::timestamptz, $7::timestamptz ${from}`,
    [...rows, TENANT, PRODUCTION, new Date(RECORDED)],
  );
}, 60_000);
afterAll(() => service.close());

const PAGES = 'the number of pages is exact, however many entities have no record';
test(volume(PAGES, `${PAGES}, and estimated for more than 10,000 records`), async () => {
  const billing = await billingOf(service, TENANT);
  const window = { from: '2026-01-01', to: '2026-02-01', _page_size: 100 };
  const pagesOf = async (path: string, query: Query): Promise<number> => {
    const { status, headers } = await billing.get(path, { ...window, ...query });
    expect([path, status]).toEqual([path, 200]);
    return Number(headers['x-page-count']);
  };
  for (const [path, more] of [
    ['', {}],
    ['corrections', { recorded_from: '2026-01-01T00:00:00Z' }],
  ] as const) {
    expect([path, await pagesOf(path, { ...more, article_code: 'RARE' })]).toEqual([path, RARE / 100]);
    expect([path, await pagesOf(path, { ...more, article_code: 'none' })]).toEqual([path, 0]);
    const pages = await pagesOf(path, more);
    if (ENTITIES > MAX_EXACT_TOTAL) expect(pages).toBeGreaterThan(MAX_EXACT_TOTAL / 100);
    else expect(pages).toBe(ENTITIES / 100);
  }
});
