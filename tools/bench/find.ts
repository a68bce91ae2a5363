import { withClient } from '@fibre/embedded-postgres';
import type pg from 'pg';
import { onStage, prepareDatabase } from './setup/database.js';
import { part, timeInTurn } from './setup/timing.js';
import { send } from './setup/load.js';
import { EVENT_TENANT, NAMESPACE } from './setup/events.js';
import { LISTED_TENANT } from './setup/nodes.js';
import { machine, say, table } from './setup/report.js';
import { type Server, type ServiceName, startService } from './setup/service.js';

const [REQUESTS, WARM_UP] = [200, 5];
/** Rows that one statement inserts. */
const AT_ONCE = 500_000;
const WRITES = { rounds: 9, rows: 20_000 };

/** What is measured of a service, with rows that one statement makes from the numbers of a series. */
interface Subject {
  readonly service: ServiceName;
  readonly tenant: string;
  readonly scope: string;
  readonly tables: readonly [string, ...string[]];
  /** The indexes that are measured. */
  readonly indexes: RegExp;
  readonly fill: (from: number, to: number) => readonly string[];
  readonly requests: Readonly<Record<string, { readonly path: string; readonly mostMs: number }>>;
}

const uuid = (text: string, time: string): string => `(lpad(to_hex(${time}), 12, '0') || '7' || right(md5(${text}), 19))::uuid`;
const found = (paths: Record<string, string>, path: string) =>
  Object.fromEntries(Object.entries(paths).map(([title, q]) => [title, { path: `${path}?q=${encodeURIComponent(q)}`, mostMs: 50 }]));

const NODES: Subject = {
  ...{ service: 'coverage-service', tenant: LISTED_TENANT, scope: 'coverage:read', tables: ['access_node'] },
  indexes: /^access_node_find_/,
  fill: (from, to) => [
    `insert into access_node (node_id, tenant, relation_id, collection, token, latitude, longitude, status, customer_reference, address_id)
     select ${uuid(`'node ' || n`, '1767225600000 + n')}, '${LISTED_TENANT}', md5('relation ' || n % 200)::uuid, 'nodes', 'operation',
       46.5 + n % 1000 * 0.002, 10 + n % 7919 * 0.0008, 'active', 'CAN-' || n, 'AT.' || n / 3
     from generate_series(${from}, ${to}) n`,
  ],
  requests: found(
    {
      ...{ 'two letters that all have': 'ca', 'a prefix of many': 'CAN-12', 'one reference': 'can-34567', 'an address': 'at.1234' },
      ...{ nothing: 'no such thing', 'the first eight characters of an id': '019b76f5' },
    },
    '/v2/cov/find',
  ),
};

/** A million entities with ten events each, half of them ended, from February 2024 on. */
const EVENTS: Subject = {
  ...{ service: 'event-service', tenant: EVENT_TENANT, scope: 'events:read', tables: ['event', 'timeline'] },
  indexes: /^event_(find_|trend_)/,
  fill: (from, to) => [
    `create temp table sent as
     select n, md5('entity ' || n / 10)::uuid as entity_id, (n / 10 % 4096)::smallint as shard_key, n % 10 + 1 as sequence,
       timestamptz '2024-02-01' + n / 10 * (interval '1000 days' / ${EVENTS_LOADED / 10}) + n % 10 * interval '2 days' as took_place,
       case when n % 10 = 0 then 'activation' when n % 20 = 19 then 'deactivation' else 'update' end as event_type
     from generate_series(${from}, ${to}) n`,
    `insert into timeline (tenant, namespace_id, entity_id, shard_key, version, state, state_since, created_at, modified_at, last_event_id)
     select '${EVENT_TENANT}', '${NAMESPACE}', entity_id, shard_key, 10, case event_type when 'deactivation' then 'inactive' else 'active' end,
       took_place, took_place, took_place, '${NAMESPACE}'
     from sent where sequence = 10`,
    `insert into event (event_id, shard_key, tenant, namespace_id, entity_id, sequence, event_type, event_at, event_timezone, event_date,
       sys_attributes, sys_hash, created_at, modified_at)
     select ${uuid(`'event ' || n`, '(extract(epoch from took_place) * 1000)::bigint')}, shard_key, '${EVENT_TENANT}', '${NAMESPACE}', entity_id, sequence,
       event_type, took_place, 'Europe/Vienna', took_place::date,
       case event_type
         when 'activation' then json_build_object('article_codes', array['FIBRE-100'], 'option82', 'eth 0/' || n / 10, 'partner_id', '${NAMESPACE}')
         when 'update' then json_build_object('article_codes', array['FIBRE-250'], 'partner_reference', 'ORDER-' || n / 10)
       end, md5('sys ' || n)::uuid, took_place, took_place
     from sent order by sent.took_place`,
    'drop table sent',
  ],
  requests: {
    ...found(
      {
        ...{ 'two letters that all have': 'ET', 'a prefix of many': 'eth 0/12', 'one line': 'ETH 0/34567', 'a reference': 'order-12345' },
        ...{ nothing: 'no such thing', 'the first eight characters of an id': '018d6170' },
      },
      '/api/v2/sys/find',
    ),
    'trend of 12 months': { path: '/api/v2/sys/overview/trend', mostMs: 300 },
    'trend of 36 months': { path: '/api/v2/sys/overview/trend?months=36', mostMs: 300 },
  },
};
/** For the time between entities; fewer or more rows may be loaded. */
const EVENTS_LOADED = 10_000_000;

/** `npm run bench -- find`: how long find and the trend take on large tables, and what their indexes cost writes. */
export async function benchFind(sizes: { nodes: number; events: number; only?: string }): Promise<void> {
  for (const [subject, records] of [
    [EVENTS, sizes.events],
    [NODES, sizes.nodes],
  ] as const) {
    const { service, tables, indexes } = subject;
    if (!tables[0].includes(sizes.only ?? '')) continue;
    await onStage(service, async ({ issuer, postgres, version, keep }) => {
      say(machine(version));
      await measureWrites(postgres, subject);
      const url = await prepareDatabase(postgres, {
        ...{ service, tables, records, name: `find_${tables[0]}_${records}_v1` },
        // The requests use no other indexes, and building all of them would take an hour.
        isBuilt: (name) => indexes.test(name) || name.endsWith('_listing_idx'),
        fill: (client) => fill(client, subject, 0, records),
      });
      const server = keep(await startService(service, url, issuer.url));
      await measureReads(server, subject, await issuer.tokenFor(subject.tenant, subject.scope), records);
    });
  }
}

async function measureReads(server: Server, { requests, tables }: Subject, token: string, rows: number): Promise<void> {
  const lines: string[][] = [];
  for (const [title, { path, mostMs }] of Object.entries(requests)) {
    const [times] = await timeInTurn([() => send(server, { path }, token)], REQUESTS, WARM_UP);
    const [median, p95] = [part(times!, 0.5), part(times!, 0.95)];
    lines.push([title, median.toFixed(1), p95.toFixed(1), `at most ${mostMs}`, p95 <= mostMs ? 'met' : '**missed**']);
  }
  say(table([`${rows.toLocaleString('en-GB')} rows of ${tables[0]}`, 'Median, ms', 'p95, ms', 'Goal', ''], lines));
}

/** Inserts rows into two databases in turn: one has every index, the other all but those that are measured. */
async function measureWrites(postgres: string, subject: Subject): Promise<void> {
  const { service, tables, indexes } = subject;
  const empty = { service, tables, records: 0, fill: () => Promise.resolve() };
  const without = await prepareDatabase(postgres, { ...empty, name: 'find_without', isBuilt: (name) => !indexes.test(name) });
  const withAll = await prepareDatabase(postgres, { ...empty, name: 'find_with' });
  const inserts = [without, withAll].map(
    (url) => (round: number) => withClient(url, (client) => fill(client, subject, round * WRITES.rows, WRITES.rows)),
  );
  const [before, after] = (await timeInTurn(inserts, WRITES.rounds)).map((times) => part(times, 0.5));
  const rows = WRITES.rows.toLocaleString('en-GB');
  say(
    `insert ${rows} rows into ${tables[0]}: ${before!.toFixed()} ms without, ${after!.toFixed()} ms with: ${(after! / before!).toFixed(2)}`,
  );
}

async function fill(client: pg.Client, subject: Subject, first: number, rows: number): Promise<void> {
  for (let from = first; from < first + rows; from += AT_ONCE)
    for (const text of subject.fill(from, Math.min(from + AT_ONCE, first + rows) - 1)) await client.query(text);
}
