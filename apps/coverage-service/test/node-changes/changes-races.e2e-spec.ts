import { setTimeout as sleep } from 'node:timers/promises';
import { Follower, type ServiceProcess, startServiceProcess, startTestService, TEST_AUDIENCE, type TestService } from '@fibre/testing';
import { randomUUID } from 'node:crypto';
import supertest from 'supertest';
import { withClient } from '@fibre/embedded-postgres';
import { insertNode } from '../../src/access-nodes/access-node.sql.js';
import { coverageService } from '../../src/coverage-service.js';
import { ALL_SCOPES, newNode, NODES, SEARCH } from '../access-nodes/access-nodes.js';
import { sql } from '../database/sql.js';

/** CHANGES_SECONDS makes the run longer. With CHANGES_FAULT=now, which introduces a fault, the test must fail. */
const SECONDS = Number(process.env.CHANGES_SECONDS ?? 10);
const HAS_FAULT = process.env.CHANGES_FAULT === 'now';
const WRITERS = 16;
/** On a busy machine, the run lasts until there have been so many writes. */
const ENOUGH_WRITES = 500;
/** Enough writes overlap with these pauses, and a processor remains for other tests. */
const MAX_PAUSE_MS = 200;
const KILL_EVERY_MS = 4_000;
/** Several times SETTLE_SECONDS. */
const MAX_STALL_MS = 4_000;
const RELATIONS = Array.from({ length: 6 }, () => randomUUID());

let service: TestService;
let replica: ServiceProcess;
let authorization: string;

beforeAll(async () => {
  service = await startTestService(coverageService, { DATABASE_POOL_SIZE: '30' });
  authorization = `Bearer ${await service.issuer.token({ scope: ALL_SCOPES, claims: { exp: Math.floor(Date.now() / 1_000) + 7_200 } })}`;
  // Some commits hang, for several times SETTLE_SECONDS.
  await sql(
    service.databaseUrl,
    `create function hang() returns trigger language plpgsql as $$
     begin perform pg_sleep(case when random() < 0.001 then random() * 8 when random() < 0.1 then random() * 0.2 else 0 end); return null; end $$`,
  );
  await sql(
    service.databaseUrl,
    `create constraint trigger hang after insert or update or delete on access_node deferrable initially deferred for each row execute function hang()`,
  );
  replica = await startReplica();
});
afterAll(async () => {
  await replica.kill();
  await service.close();
});

const startReplica = (port?: number): Promise<ServiceProcess> =>
  startServiceProcess(
    'coverage-service',
    {
      ...{ DATABASE_URL: service.databaseUrl, DATABASE_POOL_SIZE: '30', OAUTH_ISSUER: service.issuer.url, OAUTH_AUDIENCE: TEST_AUDIENCE },
      LOG_LEVEL: 'fatal',
    },
    port,
  );

const oneOf = <T>(all: readonly T[]): T => all[Math.floor(Math.random() * all.length)]!;
const call = (method: string, path: string, body?: unknown, type = 'application/json'): Promise<Response | undefined> =>
  fetch(`${oneOf([service.url, replica.url])}${path}`, {
    method,
    headers: { authorization, ...(body !== undefined && { 'content-type': type }) },
    body: body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body),
  }).catch(() => undefined);

/** What a writer may do to the nodes; the follower must see the results. */
const WRITES: readonly ((known: string[]) => Promise<unknown>)[] = [
  (known) => create('nodes', known),
  (known) => create('nodes', known),
  (known) => create('prenodes', known),
  (known) => call('PATCH', `${NODES}${oneOf(known)}`, { token: oneOf(['planned', 'operation']) }),
  (known) => call('PATCH', `${NODES}${oneOf(known)}`, { technology: oneOf(['ftth', 'fttb']) }),
  (known) => call('DELETE', `${NODES}${oneOf(known)}`),
  () => call('PUT', `${NODES}?relation_id=${oneOf(RELATIONS)}`),
  () => (Math.random() < 0.1 ? call('DELETE', `${NODES}?relation_id=${oneOf(RELATIONS)}`) : Promise.resolve()),
  () => call('POST', `${NODES}import?target=${oneOf(['nodes', 'prenodes'])}`, file(), 'text/csv'),
];

async function create(target: string, known: string[]): Promise<void> {
  const response = await call('POST', `${NODES}?target=${target}`, newNode({ relation_id: oneOf(RELATIONS) }));
  if (response?.status === 201) known.push(((await response.json()) as { node_id: string }).node_id);
}

const file = (): string => {
  const rows = Array.from(
    { length: 20 },
    () => `${oneOf(RELATIONS)},${oneOf(['planned', 'operation'])},48,16,ref${randomUUID().slice(0, 2)}`,
  );
  return ['relation_id,token,latitude,longitude,customer_reference', ...rows].join('\n');
};

/** Creates a node, as a service that stalls for a while after the beginning of its transaction. */
async function createSlowly(): Promise<void> {
  const node = {
    node_id: randomUUID(),
    tenant: 'ano.test',
    relation_id: RELATIONS[0]!,
    collection: 'nodes' as const,
    status: 'active' as const,
  };
  const { text, values } = insertNode({ ...node, token: 'planned', latitude: '48', longitude: '16' }, false);
  await withClient(service.databaseUrl, async (client) => {
    await client.query('begin');
    await client.query('select 1');
    await sleep(Math.random() * MAX_STALL_MS);
    await client.query(text, values);
    await client.query('commit');
  });
}

test('in the end, a follower has exactly the existing nodes, despite concurrent writers, hanging commits and dying replicas', async () => {
  // The fault: a time that is older than the id of its transaction.
  if (HAS_FAULT)
    await sql(
      service.databaseUrl,
      `create or replace function write_time() returns timestamptz language plpgsql as $$ begin return date_trunc('milliseconds', now()); end $$`,
    );
  const client = supertest.agent(service.url).set({ authorization });
  const followers = [
    new Follower(client, `${NODES}changes/?_page_size=50`),
    new Follower(client, `${SEARCH}changes/?_page_size=50`),
    new Follower(client, `${NODES}changes/?relation_id=${RELATIONS[0]}`),
  ];
  const end = Date.now() + SECONDS * 1_000;
  let writes = 0;
  const isOver = () => writes >= ENOUGH_WRITES && Date.now() > end;
  const writers = Array.from({ length: WRITERS }, async () => {
    const known: string[] = [randomUUID()];
    for (; !isOver(); await sleep(Math.random() * MAX_PAUSE_MS)) {
      await oneOf(WRITES)(known);
      writes++;
    }
  });
  const stalling = Array.from({ length: 2 }, async () => {
    while (!isOver()) await createSlowly();
  });
  const readers = followers.map(async (follower) => {
    while (!isOver()) if ((await follower.step()).length === 0) await sleep(Math.random() * 200);
  });
  while (!isOver()) {
    await sleep(KILL_EVERY_MS);
    await replica.kill();
    replica = await startReplica(Number(new URL(replica.url).port));
  }
  await Promise.all([...writers, ...stalling, ...readers]);
  await Promise.all(followers.map((follower) => follower.catchUp()));

  const stored = await sql<{ node_id: string; relation_id: string; version: number; modified_at: Date }>(
    service.databaseUrl,
    `select node_id, relation_id, modified_at from access_node where collection = 'nodes' order by node_id`,
  );
  const expected = (relation?: string) =>
    stored.flatMap(({ node_id, relation_id, modified_at }) =>
      relation === undefined || relation_id === relation ? [[node_id, modified_at.getTime()]] : [],
    );
  const copied = ({ copy }: Follower) =>
    [...copy.values()].map((node) => [node['node_id'], Date.parse(node['modified_at']!)]).sort(([a], [b]) => (a! < b! ? -1 : 1));
  expect(stored.length).toBeGreaterThan(50);
  expect(followers[0]!.seen.some(({ change }) => change === 'deleted')).toBe(true);
  expect(copied(followers[0]!)).toEqual(expected());
  expect(copied(followers[1]!)).toEqual(expected());
  expect(copied(followers[2]!)).toEqual(expected(RELATIONS[0]));
  // The test can be set to run for minutes.
}, 900_000);
