import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type ClonedDatabase,
  cloneDatabase,
  loadPerProcessor,
  type ServiceProcess,
  startServiceProcess,
  startTestIssuer,
  TEST_AUDIENCE,
  type TestIssuer,
  until,
} from '@fibre/testing';
import { volume } from '@fibre/testing/volume';
import pg from 'pg';
import { lockRelation } from '../../src/relation-nodes/relation-lock.sql.js';
import { ALL_SCOPES, newNode, NODES, SEARCH } from '../access-nodes/access-nodes.js';

const SETTINGS = {
  DATABASE_POOL_SIZE: '4',
  MAX_REQUESTS_IN_FLIGHT: '16',
  MAX_REQUESTS_WAITING: '64',
  MAX_REQUEST_WAIT_MS: '500',
  REQUEST_DEADLINE_SECONDS: '10',
};
const WATCHED_MS = volume(500, 1_500);

let service: ServiceProcess;
let issuer: TestIssuer;
let database: ClonedDatabase;
let holder: pg.Client;

beforeAll(async () => {
  [issuer, database] = await Promise.all([startTestIssuer(), cloneDatabase()]);
  // A process of its own, because other tests allow long waits for locks.
  const environment = { ...SETTINGS, DATABASE_URL: database.url, OAUTH_ISSUER: issuer.url, OAUTH_AUDIENCE: TEST_AUDIENCE };
  service = await startServiceProcess('coverage-service', environment);
  holder = new pg.Client(database.url);
  await holder.connect();
});
afterAll(async () => {
  await holder.end();
  await service.kill();
  await Promise.all([issuer.close(), database.drop()]);
});

/** Sends a request as a tenant, with the answer's status and how many milliseconds it took. */
async function send(tenant: string, method: string, path: string, body?: object) {
  const authorization = `Bearer ${await issuer.token({ tenant, scope: ALL_SCOPES })}`;
  const begin = performance.now();
  const headers = { authorization, ...(body && { 'content-type': 'application/json' }) };
  const answer = await fetch(service.url + path, { method, headers, body: body && JSON.stringify(body) });
  const text = await answer.text();
  return { status: answer.status, text, retryAfter: answer.headers.get('retry-after'), ms: performance.now() - begin };
}

/** A relation with a node in it that a long transaction of its own tenant holds, as an import does. */
async function heldRelation(tenant: string): Promise<{ relation: string; node: string }> {
  const relation = randomUUID();
  const { text } = await send(tenant, 'POST', NODES, newNode({ relation_id: relation, customer_reference: 'held' }));
  const node = (JSON.parse(text) as { node_id: string }).node_id;
  await holder.query(lockRelation(tenant, relation));
  await holder.query('update access_node set units = 7 where node_id = $1', [node]);
  // An insert with the same reference waits too.
  await holder.query(`update access_node set customer_reference = 'moved' where node_id = $1`, [node]);
  return { relation, node };
}

/** Every kind of write that waits for such a transaction. */
const WRITES: Readonly<Record<string, (relation: string, node: string) => [method: string, path: string, body?: object]>> = {
  merge: (relation) => ['PUT', `${NODES}?relation_id=${relation}`],
  'bulk delete': (relation) => ['DELETE', `${NODES}?relation_id=${relation}&target=prenodes`],
  'bulk PATCH': (_relation, node) => ['PATCH', NODES, { node_ids: [node], set: { units: 1 } }],
  deletions: (_relation, node) => ['POST', `${NODES}deletions/`, { node_ids: [node] }],
  PATCH: (_relation, node) => ['PATCH', `${NODES}${node}/`, { units: 2 }],
  DELETE: (_relation, node) => ['DELETE', `${NODES}${node}/`],
  POST: (relation) => ['POST', NODES, newNode({ relation_id: relation, customer_reference: 'moved' })],
};

/** With little volume, one that waits for the lock of the relation, and two that wait for that of a node. */
const TRIED = volume(['merge', 'PATCH', 'POST'], Object.keys(WRITES));

test.each(TRIED.map((name) => [name, WRITES[name]!] as const))(
  'two tenants whose writes (%s) wait for their own locks delay no other tenant',
  async (_name, write) => {
    await holder.query('begin');
    const tenants = ['ano.a', 'ano.b'];
    const held = await Promise.all(tenants.map(heldRelation));
    let isOver = false;
    const statuses: number[] = [];
    const flood = tenants.flatMap((tenant, which) =>
      Array.from({ length: 12 }, async () => {
        while (!isOver) statuses.push((await send(tenant, ...write(held[which]!.relation, held[which]!.node))).status);
      }),
    );
    const seen: Awaited<ReturnType<typeof send>>[] = [];
    const watching: Promise<unknown>[] = [];
    for (const end = performance.now() + WATCHED_MS; performance.now() < end; await sleep(50)) {
      watching.push(send('ano.third', 'GET', `${SEARCH}?center=48.2,16.3`).then((answer) => seen.push(answer)));
      if (seen.length % 20 === 5)
        watching.push(send('ano.third', 'PUT', `${NODES}?relation_id=${randomUUID()}`).then((it) => seen.push(it)));
    }
    await Promise.all(watching);
    isOver = true;
    await holder.query('rollback');
    await Promise.all(flood);
    expect(seen.filter(({ status }) => status !== 200).map(({ text }) => text)).toEqual([]);
    expect(Math.max(...seen.map(({ ms }) => ms))).toBeLessThan(1_000 * loadPerProcessor());
  },
);

test('a merge waits for the import of its relation without a slot and, most of the time, without a connection; then it is done', async () => {
  await holder.query('begin');
  const { relation } = await heldRelation('ano.a');
  const merge = send('ano.a', 'PUT', `${NODES}?relation_id=${relation}`);
  const metric = async (name: string): Promise<number> =>
    Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(await (await fetch(`${service.url}/metrics`)).text())?.[1]);
  await until('the merge has its turn', async () => (await metric('limit_used\\{limit="changes of relations"\\}')) === 1);
  expect(await metric('limit_used\\{limit="requests"\\}')).toBe(0);
  await until('the merge waits without a connection', async () => (await metric('limit_used\\{limit="changes of relations"\\}')) === 0);
  await holder.query('rollback');
  expect((await merge).status).toBe(200);
});

test('a write of one node waits for a second, and is then refused; nothing was done', async () => {
  await holder.query('begin');
  const { node } = await heldRelation('ano.a');
  const answer = await send('ano.a', 'PATCH', `${NODES}${node}/`, { units: 2 });
  expect(answer).toMatchObject({ status: 503, retryAfter: expect.stringMatching(/^\d+$/) as string });
  expect(JSON.parse(answer.text)).toMatchObject({ code: 'unavailable', detail: expect.stringContaining('other work') as string });
  expect(answer.ms).toBeGreaterThan(900);
  await holder.query('rollback');
  expect((await send('ano.a', 'PATCH', `${NODES}${node}/`, { units: 2 })).status).toBe(200);
});
