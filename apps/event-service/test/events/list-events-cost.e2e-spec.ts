import { selectPage } from '@fibre/database';
import { cloneDatabase, type ClonedDatabase } from '@fibre/testing';
import { Timestamp } from '@fibre/dto';
import pg from 'pg';
import { NIL as PRODUCTION } from 'uuid';
import type { EventFilters, ListScope } from '../../src/event-lists/event-filters.sql.js';
import { eventListing } from '../../src/event-lists/event-lists.sql.js';
import { leastIdAt } from '../../src/timeline/event-id.js';

const EVENTS = 50_000;
const START = Date.UTC(2026, 0, 1);
/** Few database pages compared to those of the events, although each day of a period has a page's events read. */
const FEW_PAGES = 600;
const instant = (part: number): Timestamp => Timestamp.parse(new Date(START + EVENTS * part * 1_000).toISOString())!;
const scope: ListScope = { tenant: 'ano', namespaceId: PRODUCTION, now: new Date(START + EVENTS * 1_000), freshHours: 24 };

let clone: ClonedDatabase;
let client: pg.Client;

/** Few of the events, all in the middle, are of this type or of this ISP's subscriptions. */
const [RARE_TYPE, RARE_PARTNER] = ['update', '11111111-1111-4111-8111-111111111111'] as const;

/** An event each second, each on one of 30 days. */
beforeAll(async () => {
  clone = await cloneDatabase();
  client = new pg.Client(clone.url);
  await client.connect();
  await client.query(
    `insert into timeline (shard_key, tenant, namespace_id, entity_id, version, state, state_since, created_at, modified_at, last_event_id)
     values (1, 'ano', $1, $1, $2, 'announced', now(), now(), now(), $1)`,
    [PRODUCTION, EVENTS],
  );
  await client.query(
    `insert into event (shard_key, tenant, namespace_id, entity_id, sequence, event_id, event_type, event_at, event_timezone, event_date,
       partner_id, sys_hash, created_at, modified_at)
     select 1, 'ano', $1, $1, n, id, case when n between 25000 and 25005 then '${RARE_TYPE}' else 'notification' end, at, 'UTC', date '2026-01-01' + (n % 30)::int, case when n between 25000 and 25005 then uuid '${RARE_PARTNER}' else $1 end, md5('x')::uuid, at, at
     from unnest($2::uuid[], $3::timestamptz[]) with ordinality e (id, at, n)`,
    [
      PRODUCTION,
      Array.from({ length: EVENTS }, (_, index) => leastIdAt(START + index * 1_000)),
      Array.from({ length: EVENTS }, (_, index) => new Date(START + index * 1_000)),
    ],
  );
  await client.query('vacuum analyze event');
});
afterAll(async () => {
  await client.end();
  await clone.drop();
});

/** Skipped on Citus, where a plan only counts the pages that one server reads. */
const onOneServer = process.env.CITUS_URL ? test.skip : test;

onOneServer.each<EventFilters>([
  {},
  { period: '2026-01-05' },
  { period: '2026-01-05', period_end: '2026-01-12' },
  { period: '0001-01-01', period_end: '9999-12-31' },
  { token: 'untouched' },
  { token: 'fresh' },
  { event_type: 'notification' },
  { event_type: RARE_TYPE },
  { event_type: 'deactivation' },
  { partner_id: PRODUCTION },
  { partner_id: RARE_PARTNER },
  { partner_id: PRODUCTION, event_type: 'notification' },
  { partner_id: RARE_PARTNER, period: '2026-01-05' },
  { recorded_from: instant(0.4), recorded_until: instant(0.6) },
  { recorded_from: instant(0.4), recorded_until: instant(0.6), event_type: RARE_TYPE, partner_id: RARE_PARTNER },
])('a page of the events %j reads few others, in either order, wherever it begins', async (filters) => {
  for (const order of ['asc', 'desc'] as const)
    for (const part of [undefined, 0.1, 0.5, 0.9]) {
      const from = part === undefined ? undefined : [leastIdAt(START + EVENTS * part * 1_000)];
      const { text, values } = selectPage(eventListing('events', scope, filters), { size: 50, order, from });
      const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>(
        `explain (analyze, buffers, format json) ${text}`,
        [...values],
      );
      const { Plan: plan } = rows[0]!['QUERY PLAN'][0];
      const pages = plan['Shared Hit Blocks']! + plan['Shared Read Blocks']!;
      expect([order, part, pages, pages < FEW_PAGES]).toEqual([order, part, pages, true]);
    }
});
