import { createDataSource, selectPage, type Statement } from '@fibre/database';
import { Timestamp } from '@fibre/dto';
import { cloneDatabase, type ClonedDatabase } from '@fibre/testing';
import { volume } from '@fibre/testing/volume';
import type { DataSource } from 'typeorm';
import { entityListing } from '../../src/entities/entity-list.sql.js';
import type { RequestedEvent } from '../../src/events/event.js';
import { appendEvent, readTimeline } from '../../src/events/event.sql.js';
import { hashSysAttributes } from '../../src/event-attributes/sys-attributes.js';
import type { TimelineKey } from '../../src/timeline/timeline.js';

/** Sizes of the table. */
const [SMALL, LARGE] = volume([5_000, 50_000], [20_000, 200_000]);
const EVENTS_PER_ENTITY = 100;
const SAMPLES = 15;
/** Indexes grow by a level or two; each level adds a page read per index. */
const [MOST_PAGES, MOST_GROWTH] = [80, 16];
/** Entities per page of a listing. Only each entity's row may be read; looking up its events would read four or more pages. */
const PAGE_SIZE = 500;
const MOST_PAGES_PER_ENTITY = 1.5;
const TIMEOUT_MS = 3_600_000;
const NAMESPACE = '00000000-0000-0000-0000-000000000000';

let clone: ClonedDatabase;
let database: DataSource;

beforeAll(async () => {
  clone = await cloneDatabase();
  database = await createDataSource({
    url: clone.url,
    poolSize: 1,
    applicationName: 'spec',
    statementTimeoutMs: TIMEOUT_MS,
    entities: [],
    migrations: [],
  }).initialize();
});
afterAll(async () => {
  await database.destroy();
  await clone.drop();
});

/** Adds entities with one subscription each: an activation and hourly updates. */
async function grow(fromEntity: number, toEntity: number): Promise<void> {
  const entity = `md5(n::text)::uuid`;
  await database.query('set session_replication_role = replica');
  await database.query(
    `insert into timeline (tenant, namespace_id, entity_id, shard_key, version, state, state_since, article_codes, created_at, modified_at, last_event_id,
       lifecycle_at)
     select 'ano', '${NAMESPACE}', ${entity}, n % 4096, ${EVENTS_PER_ENTITY}, 'active', '2026-01-01T01:00:00Z', '{A}', now(), now(), ${entity},
       '2026-01-01T00:00:00Z'::timestamptz + ${EVENTS_PER_ENTITY} * interval '1 hour'
     from generate_series($1::int, $2::int) n`,
    [fromEntity, toEntity - 1],
  );
  await database.query(
    `insert into event (event_id, shard_key, tenant, namespace_id, entity_id, sequence, event_type, event_at, event_timezone, event_date,
       sys_attributes, sys_hash, created_at, modified_at)
     select md5(n || ' ' || s)::uuid, n % 4096, 'ano', '${NAMESPACE}', ${entity}, s, case s when 1 then 'activation' else 'update' end,
       '2026-01-01T00:00:00Z'::timestamptz + s * interval '1 hour', 'UTC', '2026-01-01'::date + s / 24, '{"article_codes":["A"]}', md5('x')::uuid, now(), now()
     from generate_series(1, ${EVENTS_PER_ENTITY}) s, generate_series($1::int, $2::int) n`,
    [fromEntity, toEntity - 1],
  );
  await database.query('set session_replication_role = origin');
  await database.query('vacuum analyze event, timeline');
}

interface Plan {
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
}

async function pages({ text, values }: Statement): Promise<number> {
  const [row] = await database.query<[{ 'QUERY PLAN': [{ Plan: Plan }] }]>(`explain (analyze, buffers, format json) ${text}`, values);
  const { Plan: plan } = row['QUERY PLAN'][0];
  return plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
}

/** Median number of pages read by the two statements that record an update in the middle of a busy timeline. */
async function cost(entities: number): Promise<{ read: number; write: number }> {
  const samples: { read: number; write: number }[] = [];
  for (let index = 0; index < SAMPLES; index++) {
    const number = Math.floor(((index + 0.5) * entities) / SAMPLES);
    const [{ id }] = await database.query<[{ id: string }]>('select md5($1::text)::uuid as id', [number]);
    const key: TimelineKey = { tenant: 'ano', namespaceId: NAMESPACE, entityId: id, shardKey: number % 4_096 };
    const sysAttributes = '{"article_codes":["B"]}';
    const requested: RequestedEvent = {
      type: 'update',
      at: Timestamp.parse(`2026-01-03T0${index % 10}:30:00.${String(entities).padStart(6, '0').slice(-6)}Z`)!,
      timezone: 'UTC',
      sysAttributes,
      sysHash: hashSysAttributes(sysAttributes),
      actor: null,
      user: { usr_reference: null, usr_attributes: null, comment: null },
    };
    const [{ version }] = await database.query<[{ version: number }]>('select version from timeline where entity_id = $1', [id]);
    const read = await pages(readTimeline(key, requested));
    const write = await pages(appendEvent(key, { version, isLast: false }, requested));
    samples.push({ read, write });
  }
  const median = (values: number[]): number => values.sort((a, b) => a - b)[SAMPLES >> 1]!;
  expect(
    (await database.query<[{ n: number }]>('select count(*)::int as n from event where sequence = $1', [EVENTS_PER_ENTITY + 1]))[0].n,
  ).toBeGreaterThan(0);
  return { read: median(samples.map(({ read }) => read)), write: median(samples.map(({ write }) => write)) };
}

/**
 * Reads a page of entities from the middle of the list: their states now, at an instant after their last events, and at an instant before
 * those events.
 */
async function costOfEntities(): Promise<Record<'now' | 'after' | 'before', number>> {
  const list = (at?: string) =>
    entityListing({ tenant: 'ano', namespaceId: NAMESPACE }, at === undefined ? {} : { at: Timestamp.parse(at)! });
  const from = '80000000-0000-4000-8000-000000000000';
  const cost = (listing: ReturnType<typeof list>) => pages(selectPage(listing, { size: PAGE_SIZE, from: [from] }));
  return { now: await cost(list()), after: await cost(list('2026-02-01T00:00:00Z')), before: await cost(list('2026-01-03T00:00:00Z')) };
}

/** Skipped on Citus, where a plan only counts the pages that one server reads. */
const onOneServer = process.env.CITUS_URL ? test.skip : test;

onOneServer(
  'recording an event reads the same few pages, however many events there are',
  async () => {
    await grow(0, SMALL / EVENTS_PER_ENTITY);
    const small = await cost(SMALL / EVENTS_PER_ENTITY);
    await grow(SMALL / EVENTS_PER_ENTITY, LARGE / EVENTS_PER_ENTITY);
    const large = await cost(LARGE / EVENTS_PER_ENTITY);
    const entities = await costOfEntities();
    console.info(`pages read to list ${PAGE_SIZE} entities: ${JSON.stringify(entities)}`);
    expect(entities.now).toBeLessThanOrEqual(PAGE_SIZE * MOST_PAGES_PER_ENTITY);
    expect(entities.after).toBeLessThanOrEqual(PAGE_SIZE * MOST_PAGES_PER_ENTITY);
    console.info(`pages read at ${SMALL} events: ${JSON.stringify(small)}, at ${LARGE} events: ${JSON.stringify(large)}`);
    for (const statement of ['read', 'write'] as const) {
      expect(large[statement]).toBeLessThanOrEqual(MOST_PAGES);
      expect(large[statement] - small[statement]).toBeLessThanOrEqual(MOST_GROWTH);
    }
  },
  TIMEOUT_MS,
);
