import { selectPage, type Statement } from '@fibre/database';
import { Timestamp } from '@fibre/dto';
import { cloneDatabase, type ClonedDatabase } from '@fibre/testing';
import pg from 'pg';
import { NIL as PRODUCTION } from 'uuid';
import type { PeriodSearch } from '../../src/periods/period-steps.sql.js';
import { periodListing } from '../../src/periods/periods.sql.js';
import { leastIdAt, shardKeyOf } from '../../src/timeline/event-id.js';
import { newEntity } from '../events/events.js';

const EVENTS = 20_000;
const PAGE_SIZE = 100;
/** A page reads at most two events per step; each event may be on a page of its own. */
const MOST_PAGES = 300;
const START = Date.UTC(2026, 0, 1);
const entity_id = newEntity();
const search: PeriodSearch = {
  tenant: 'ano',
  namespaceId: PRODUCTION,
  entity_id,
  recordedUntil: new Date(START + EVENTS * 1_000),
  from: Timestamp.parse('2026-01-01T00:00:00Z')!,
  to: Timestamp.parse('2026-02-01T00:00:00Z')!,
  timezone: 'UTC',
};

let clone: ClonedDatabase;
let client: pg.Client;

/** An entity with an update each second, recorded at that time. */
beforeAll(async () => {
  clone = await cloneDatabase();
  client = new pg.Client(clone.url);
  await client.connect();
  await client.query(
    `insert into timeline (shard_key, tenant, namespace_id, entity_id, version, state, state_since, lifecycle_at, created_at, modified_at, last_event_id)
     values ($1, 'ano', $2, $3, $4, 'active', now(), now(), now(), now(), $3)`,
    [shardKeyOf(entity_id), PRODUCTION, entity_id, EVENTS],
  );
  await client.query(
    `insert into event (shard_key, tenant, namespace_id, entity_id, sequence, event_id, event_type, event_at, event_timezone, event_date,
       sys_attributes, sys_hash, created_at, modified_at)
     select $1, 'ano', $2, $3, n, id, case n when 1 then 'activation' else 'update' end, at, 'UTC', at::date,
       case n when 1 then $4::json else '{"article_codes":["B"]}' end, md5('x')::uuid, at, at
     from unnest($5::uuid[], $6::timestamptz[]) with ordinality e (id, at, n)`,
    [
      shardKeyOf(entity_id),
      PRODUCTION,
      entity_id,
      { partner_id: PRODUCTION, article_codes: ['A'] },
      Array.from({ length: EVENTS }, (_, index) => leastIdAt(START + index * 1_000)),
      Array.from({ length: EVENTS }, (_, index) => new Date(START + index * 1_000)),
    ],
  );
  await client.query('vacuum analyze event, timeline');
});
afterAll(async () => {
  await client.end();
  await clone.drop();
});

/** The number of database pages that a statement reads. */
async function pages({ text, values }: Statement): Promise<number> {
  const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>(
    `explain (analyze, buffers, format json) ${text}`,
    values,
  );
  const { Plan: plan } = rows[0]!['QUERY PLAN'][0];
  return plan['Shared Hit Blocks']! + plan['Shared Read Blocks']!;
}

/** Skipped on Citus, where a plan only counts the pages that one server reads. */
const onOneServer = process.env.CITUS_URL ? test.skip : test;

onOneServer('a page of periods reads only its own events, wherever in a long entity it begins', async () => {
  expect(await pages(selectPage(periodListing(search), { size: PAGE_SIZE }))).toBeLessThan(MOST_PAGES);
  for (const part of [0.5, 0.9]) {
    const from = [entity_id, EVENTS * part * 1_000_000];
    expect([part, (await pages(selectPage(periodListing(search), { size: PAGE_SIZE, from }))) < MOST_PAGES]).toEqual([part, true]);
  }
});

onOneServer('a correction of a long entity reads only events since the first that was recorded later', async () => {
  const recordedFrom = new Date(START + (EVENTS - 10) * 1_000);
  // Ids may be up to a minute late, so the search reads the events of that minute as well.
  expect(await pages(selectPage(periodListing({ ...search, recordedFrom }), { size: PAGE_SIZE }))).toBeLessThan(MOST_PAGES);
});
