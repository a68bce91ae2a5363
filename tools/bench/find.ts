import { withClient } from '@fibre/embedded-postgres';
import type pg from 'pg';
import { databaseUrl, onStage } from './setup/database.js';
import { EVENT_TENANT, NAMESPACE } from './setup/events.js';
import { LISTED_TENANT } from './setup/nodes.js';
import { machine, say, table } from './setup/report.js';
import { migrate, type Server, type ServiceName, startService } from './setup/service.js';

const REQUESTS = 200;
const WRITES = { rounds: 9, rows: 20_000 };

/** What is measured of a service, with rows that one statement makes from the numbers of a series. */
interface Subject {
  readonly service: ServiceName;
  readonly tenant: string;
  readonly scope: string;
  readonly table: string;
  /** The indexes that are measured. */
  readonly indexes: RegExp;
  readonly fill: (from: number, to: number) => readonly string[];
  readonly requests: Readonly<Record<string, { readonly path: string; readonly mostMs: number }>>;
}

const uuid = (text: string, time: string): string => `(lpad(to_hex(${time}), 12, '0') || '7' || right(md5(${text}), 19))::uuid`;
const found = (paths: Record<string, string>, path: string) =>
  Object.fromEntries(Object.entries(paths).map(([title, q]) => [title, { path: `${path}?q=${encodeURIComponent(q)}`, mostMs: 50 }]));

const NODES: Subject = {
  ...{ service: 'coverage-service', tenant: LISTED_TENANT, scope: 'coverage:read', table: 'access_node' },
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
  ...{ service: 'event-service', tenant: EVENT_TENANT, scope: 'events:read', table: 'event' },
  indexes: /^event_(find_|trend_)/,
  fill: (from, to) => [
    `create temp table sent on commit drop as
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
  for (const [subject, rows] of [
    [EVENTS, sizes.events],
    [NODES, sizes.nodes],
  ] as const) {
    if (!subject.table.includes(sizes.only ?? '')) continue;
    await onStage(subject.service, async ({ issuer, postgres, version, keep }) => {
      say(machine(version));
      await measureWrites(postgres, subject);
      const url = await newDatabase(postgres, subject.service, `find_${subject.table}`);
      // The requests use no other indexes, and building all of them would take an hour.
      await fillWithout(url, subject, rows, (name) => !subject.indexes.test(name) && !/_pkey$|_listing_idx$/.test(name));
      const server = keep(await startService(subject.service, url, issuer.url));
      await measureReads(server, subject, await issuer.tokenFor(subject.tenant, subject.scope), rows);
    });
  }
}

async function measureReads(server: Server, { requests, table: name }: Subject, token: string, rows: number): Promise<void> {
  const lines: string[][] = [];
  for (const [title, { path, mostMs }] of Object.entries(requests)) {
    const times: number[] = [];
    for (let turn = -5; turn < REQUESTS; turn++) {
      const began = performance.now();
      const response = await fetch(server.url + path, { headers: { authorization: `Bearer ${token}` } });
      await response.arrayBuffer();
      if (!response.ok) throw new Error(`${path}: ${response.status}`);
      if (turn >= 0) times.push(performance.now() - began);
    }
    const [median, p95] = [0.5, 0.95].map((share) => part(times, share));
    lines.push([title, median!.toFixed(1), p95!.toFixed(1), `at most ${mostMs}`, p95! <= mostMs ? 'met' : '**missed**']);
  }
  say(table([`${rows.toLocaleString('en-GB')} rows of ${name}`, 'Median, ms', 'p95, ms', 'Goal', ''], lines));
}

/** Inserts rows into two databases in turn: one has every index, the other all but those that are measured. */
async function measureWrites(postgres: string, subject: Subject): Promise<void> {
  const [without, withAll] = [
    await newDatabase(postgres, subject.service, 'find_without'),
    await newDatabase(postgres, subject.service, 'find_with'),
  ];
  await withClient(without, async (client) => {
    for (const { name } of await indexesOf(client, subject.table)) if (subject.indexes.test(name)) await client.query(`drop index ${name}`);
  });
  const times: number[][] = [[], []];
  for (let round = 0; round < WRITES.rounds; round++)
    for (const side of round % 2 === 0 ? [0, 1] : [1, 0]) {
      const began = performance.now();
      await fill([without, withAll][side]!, subject, round * WRITES.rows, WRITES.rows);
      times[side]!.push(performance.now() - began);
    }
  const [before, after] = times.map((each) => part(each, 0.5));
  const rows = WRITES.rows.toLocaleString('en-GB');
  say(
    `insert ${rows} rows into ${subject.table}: ${before!.toFixed()} ms without, ${after!.toFixed()} ms with: ${(after! / before!).toFixed(2)}`,
  );
}

const part = (times: readonly number[], share: number): number => times.toSorted((a, b) => a - b)[Math.ceil(times.length * share) - 1]!;

async function newDatabase(postgres: string, service: ServiceName, name: string): Promise<string> {
  await withClient(postgres, async (client) => {
    await client.query(`drop database if exists ${name} with (force)`);
    await client.query(`create database ${name}`);
  });
  const url = databaseUrl(postgres, name);
  await migrate(service, url);
  return url;
}

const indexesOf = async (client: pg.Client, name: string): Promise<{ name: string; definition: string }[]> =>
  (await client.query('select indexname as name, indexdef as definition from pg_indexes where tablename = $1', [name])).rows as never;

const fill = (url: string, subject: Subject, from: number, rows: number): Promise<void> =>
  withClient(url, async (client) => {
    await client.query('begin');
    for (const text of subject.fill(from, from + rows - 1)) await client.query(text);
    await client.query('commit');
  });

/** Fills the table, whose indexes are built afterwards, apart from the excluded ones. */
async function fillWithout(url: string, subject: Subject, rows: number, isExcluded: (index: string) => boolean): Promise<void> {
  const change = (texts: readonly string[]) =>
    withClient(url, async (client) => {
      for (const text of texts) await client.query(text);
    });
  const kept: string[] = [];
  await withClient(url, async (client) => {
    await client.query(`alter table ${subject.table} drop constraint if exists event_timeline_fkey`);
    for (const { name, definition } of await indexesOf(client, subject.table)) {
      if (!isExcluded(name)) kept.push(definition);
      await client.query(`alter table ${subject.table} drop constraint if exists ${name}`);
      await client.query(`drop index if exists ${name}`);
    }
  });
  for (let from = 0; from < rows; from += 500_000) await fill(url, subject, from, Math.min(500_000, rows - from));
  await change([`set maintenance_work_mem = '1GB'`, ...kept, 'vacuum (analyze)']);
}
