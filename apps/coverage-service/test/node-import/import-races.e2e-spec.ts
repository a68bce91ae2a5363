import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { withClient } from '@fibre/embedded-postgres';
import { type ServiceProcess, startServiceProcess, startTestService, TEST_AUDIENCE, type TestService } from '@fibre/testing';
import { volume } from '@fibre/testing/volume';
import supertest, { type Response } from 'supertest';
import { coverageService } from '../../src/coverage-service.js';
import { ALL_SCOPES, type Client, create, list, type Node, NODES, operator } from '../access-nodes/access-nodes.js';
import { untilBlocked } from '../database/sql.js';
import { importFile } from './imports.js';

/** Two instances on one database, the second in its own process. */
let service: TestService;
let second: ServiceProcess;
let clients: readonly [Client, Client];
let relation_id: string;

beforeAll(async () => {
  service = await startTestService(coverageService);
  second = await startServiceProcess('coverage-service', {
    DATABASE_URL: service.databaseUrl,
    OAUTH_ISSUER: service.issuer.url,
    OAUTH_AUDIENCE: TEST_AUDIENCE,
  });
  const token = await service.issuer.token({ scope: ALL_SCOPES });
  clients = [await operator(service), supertest.agent(second.url).auth(token, { type: 'bearer' })];
});
beforeEach(() => void (relation_id = randomUUID()));
afterAll(async () => {
  await second.stop();
  await service.close();
});

/** Number of concurrent requests. */
const LANES = 8;
/** How often something is tried, and how many steps or rows it has. */
const [WINNERS, ORDERS, STEPS, MANY_ROWS] = volume([2, 2, 60, 1_500], [5, 8, 240, 10_000]);
const references = Array.from({ length: 60 }, (_, n) => `r${n}`);
/** A file with a row for every reference, all with this lot. */
const file = (lot: string, order = references): string =>
  ['token,latitude,longitude,lot_id,customer_reference', ...order.map((reference) => `planned,48.2,16.2,${lot},${reference}`), ''].join(
    '\n',
  );
const everything = async (): Promise<Node[]> => [
  ...(await list(clients[0], { relation_id, target: 'nodes' })),
  ...(await list(clients[0], { relation_id, target: 'prenodes' })),
];
/** All nodes as text. */
const state = (nodes: readonly Node[]): string =>
  nodes
    .map(({ collection, customer_reference, lot_id }) => `${collection} ${customer_reference} ${lot_id}`)
    .sort()
    .join('\n');

test('two imports of the same references on two instances: one of them wins completely', async () => {
  for (let round = 0; round < WINNERS; round++) {
    relation_id = randomUUID();
    const answers = await Promise.all([
      importFile(clients[0], file('a'), { query: { relation_id } }),
      importFile(clients[1], file('b', references.toReversed()), { query: { relation_id } }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(answers.map(({ body }) => [body.created, body.updated] as [number, number]).sort()).toEqual([
      [0, 60],
      [60, 0],
    ]);
    const nodes = await everything();
    expect(nodes).toHaveLength(60);
    expect(new Set(nodes.map(({ lot_id }) => lot_id)).size).toBe(1);
  }
});

type Work = readonly [
  name: string,
  run: (client: Client) => PromiseLike<Response>,
  apply: (state: ReadonlyMap<string, string>) => Map<string, string>,
];

/** Bulk operations, and their effect on a state, which maps each collection and reference to a lot. */
const works = (): Work[] => [
  ...(['nodes', 'prenodes'] as const).map((target): Work => [
    `import into ${target}`,
    (client) => importFile(client, file(`of ${target}`), { query: { relation_id, target } }),
    (before) => new Map([...before, ...references.map((reference) => [`${target} ${reference}`, `of ${target}`] as const)]),
  ]),
  [
    'sync of nodes',
    (client) =>
      importFile(client, file('of sync', references.slice(10, 30)), { query: { relation_id, absent: 'delete', max_deleted: '60' } }),
    (before) =>
      new Map([
        ...[...before].filter(([key]) => key.startsWith('prenodes ')),
        ...references.slice(10, 30).map((reference) => [`nodes ${reference}`, 'of sync'] as const),
      ]),
  ],
  [
    'merge',
    (client) => client.put(NODES).query({ relation_id }),
    (before) => {
      const after = new Map([...before].filter(([key]) => key.startsWith('nodes ')));
      for (const [key, lot] of before) if (key.startsWith('prenodes ')) after.set(key.replace('prenodes', 'nodes'), lot);
      return after;
    },
  ],
  ...(['nodes', 'prenodes'] as const).map((target): Work => [
    `delete ${target}`,
    (client) => client.delete(NODES).query({ relation_id, target }),
    (before) => new Map([...before].filter(([key]) => !key.startsWith(`${target} `))),
  ]),
];

function* orders<T>(items: readonly T[]): Generator<T[]> {
  if (items.length === 0) yield [];
  for (const [index, item] of items.entries()) for (const rest of orders(items.toSpliced(index, 1))) yield [item, ...rest];
}

test('concurrent imports, merges and deletions on two instances have the same result as running them in some order', async () => {
  for (let round = 0; round < ORDERS; round++) {
    relation_id = randomUUID();
    const before = new Map<string, string>();
    for (const [index, reference] of references.slice(0, 20).entries()) {
      const target = index % 2 ? 'nodes' : 'prenodes';
      await create(clients[0], { relation_id, customer_reference: reference, lot_id: 'before' }, target);
      before.set(`${target} ${reference}`, 'before');
    }
    const answers = await Promise.all(works().map(([, run], index) => run(clients[index % 2]!)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 204, 204]);
    const explained = [...orders(works())].map((order) =>
      order.reduce((now, [, , apply]) => apply(now), before as ReadonlyMap<string, string>),
    );
    const possible = new Set(
      explained.map((each) =>
        [...each]
          .map((pair) => pair.join(' '))
          .sort()
          .join('\n'),
      ),
    );
    const found = state(await everything());
    expect([possible.has(found), possible.has(found) ? '' : found]).toEqual([true, '']);
  }
});

/** Each case: a node and its new reference, and the possible references and nodes afterwards; `*` is a node that the sync created. */
test.each<[string, string, string[]]>([
  ['kept', 'moved', ['held=held, moved=kept, new=*', 'held=held, kept=*, new=*']],
  ['gone', 'new', ['held=held, kept=kept, new=*', 'held=held, kept=kept, new=gone']],
  ['gone', 'moved', ['held=held, kept=kept, new=*']],
])('a sync during which "%s" becomes "%s" has the same result as one before or after that', async (from, to, possible) => {
  for (const customer_reference of ['held', 'kept', 'gone']) await create(clients[0], { relation_id, customer_reference });
  await importFile(clients[0], file('after', ['kept']), { query: { relation_id } });
  const before = await everything();
  const idOf = (reference: string): string => before.find(({ customer_reference }) => customer_reference === reference)!.node_id;
  const [synced, changed] = await withClient(service.databaseUrl, async (holder) => {
    await holder.query('begin');
    await holder.query('select from access_node where node_id = $1 for update', [idOf('held')]);
    const sync = importFile(clients[1], file('after', ['held', 'kept', 'new']), { query: { relation_id, absent: 'delete' } }).then(
      (it) => it,
    );
    await untilBlocked(service.databaseUrl, 1);
    const change = clients[0]
      .patch(`${NODES}${idOf(from)}`)
      .send({ customer_reference: to })
      .then((answer) => answer);
    // It may have to wait for the sync.
    await Promise.race([change, untilBlocked(service.databaseUrl, 2)]);
    await holder.query('rollback');
    return Promise.all([sync, change]);
  });
  expect([synced.status, changed.status < 500]).toEqual([200, true]);
  const known = new Map(before.map(({ node_id, customer_reference }) => [node_id, customer_reference]));
  const after = (await everything()).map(({ node_id, customer_reference }) => `${customer_reference}=${known.get(node_id) ?? '*'}`);
  expect(possible).toContain(after.sort().join(', '));
});

test('an import and single changes to the same nodes all succeed', async () => {
  for (const reference of references) await create(clients[0], { relation_id, customer_reference: reference });
  const nodes = await everything();
  const change = ({ node_id, customer_reference }: Node, index: number): PromiseLike<Response> => {
    const client = clients[index % 2]!;
    if (index % 4 === 0) return client.delete(`${NODES}${node_id}`);
    if (index % 4 === 1)
      return client.post(NODES).send({ relation_id, token: 'planned', center: '48, 16', customer_reference: `${customer_reference}x` });
    return client.patch(`${NODES}${node_id}`).send(index % 4 === 2 ? { customer_reference: `moved ${index}` } : { lot_id: 'patched' });
  };
  // Only a few at once, because an instance on a busy machine would reject more.
  const left = nodes.entries();
  const others: Response[] = [];
  const changing = async () => {
    for (const [index, node] of left) others.push(await change(node, index));
  };
  const [imports] = await Promise.all([
    Promise.all([1, 2].map((n) => importFile(clients[n % 2]!, file(`import ${n}`), { query: { relation_id } }))),
    Promise.all(Array.from({ length: LANES }, changing)),
  ]);
  expect(imports.filter(({ status }) => status !== 200).map(({ body }) => body)).toEqual([]);
  expect(others.filter(({ status }) => status >= 500).map(({ body }) => body)).toEqual([]);
  const after = (await everything()).map(({ customer_reference }) => customer_reference);
  expect(new Set(after).size).toBe(after.length);
  for (const reference of references) if (!after.includes(reference)) expect(others.some(({ status }) => status === 204)).toBe(true);
});

test('an import succeeds while its nodes keep changing', async () => {
  const many = [...references, ...Array.from({ length: MANY_ROWS }, (_, n) => `more ${n}`)];
  await importFile(clients[0], file('before', many), { query: { relation_id } });
  const nodes = await list(clients[0], { relation_id });
  let imported = false;
  const moving = async (lane: number): Promise<void> => {
    for (let at = lane; !imported; at += LANES) {
      const { node_id, customer_reference } = nodes[at % nodes.length]!;
      for (const reference of [`moved ${customer_reference}`, customer_reference]) {
        await clients[lane % 2]!.patch(`${NODES}${node_id}`).send({ customer_reference: reference });
      }
    }
  };
  const lanes = Array.from({ length: LANES }, (_, lane) => moving(lane));
  const answer = await importFile(clients[0], file('after', many), { query: { relation_id } });
  imported = true;
  await Promise.all(lanes);
  expect(answer.body).toMatchObject({ rows: many.length, refused: 0 });
});

/** How many nodes one operation added and removed; zero if it was rejected. */
interface Change {
  readonly created: number;
  readonly removed: number;
}
const NOTHING: Change = { created: 0, removed: 0 };

test('no node is lost or duplicated by concurrent imports, broken imports, merges, changes and deletions', async () => {
  const owner = await service.issuer.token({ scope: ALL_SCOPES });
  const target = (n: number): string => (n % 2 ? 'nodes' : 'prenodes');
  let lot = 0;
  const deeds: ((client: Client, url: string, n: number) => Promise<Change>)[] = [
    async (client, _url, n) => {
      const { status, body } = await importFile(client, file(`lot ${lot++}`), { query: { relation_id, target: target(n) } });
      return status === 200 ? { created: body.created as number, removed: 0 } : NOTHING;
    },
    async (client, _url, n) => {
      const some = references.filter(() => Math.random() < 0.8);
      const query = { relation_id, target: target(n), absent: 'delete', max_deleted: '1000' };
      const { status, body } = await importFile(client, file(`lot ${lot++}`, some), { query });
      return status === 200 ? { created: body.created as number, removed: body.deleted as number } : NOTHING;
    },
    async (_client, url, n) => {
      // The request announces more bytes than it sends.
      const broken = request(`${url}/v2/cov/nodes/import?relation_id=${relation_id}&target=${target(n)}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${owner}`, 'content-type': 'text/csv', 'content-length': 1_000_000 },
      });
      broken.on('error', () => undefined);
      broken.write(`${file('broken')}planned,48,16,broken,${randomUUID()}\n`);
      await sleep(Math.random() * 100);
      broken.destroy();
      return NOTHING;
    },
    async (client) => {
      const { status, body } = await client.put(NODES).query({ relation_id });
      if (status !== 200) return NOTHING;
      const updates = (body.action as { merge_action: string; count: number }[]).find(({ merge_action }) => merge_action === 'UPDATE');
      return { created: 0, removed: updates?.count ?? 0 };
    },
    async (client, _url, n) => {
      const { status } = await client
        .post(NODES)
        .query({ target: target(n) })
        .send({ relation_id, token: 'planned', center: '48, 16', customer_reference: references[n % references.length] });
      return status === 201 ? { created: 1, removed: 0 } : NOTHING;
    },
    async (client, _url, n) => {
      const [node] = (await list(client, { relation_id, target: target(n), _page_size: 1 })) as (Node | undefined)[];
      if (!node) return NOTHING;
      await client.patch(`${NODES}${node.node_id}`).send({ customer_reference: n % 3 ? `moved ${n}` : references[n % references.length] });
      return NOTHING;
    },
    async (client, _url, n) => {
      const [node] = (await list(client, { relation_id, target: target(n), _page_size: 1 })) as (Node | undefined)[];
      if (!node) return NOTHING;
      const { status } = await client.delete(`${NODES}${node.node_id}`);
      return status === 204 ? { created: 0, removed: 1 } : NOTHING;
    },
  ];
  const urls = [service.url, second.url];
  const changes: Change[] = [];
  const lane = async (offset: number): Promise<void> => {
    for (let n = offset; n < STEPS; n += LANES)
      changes.push(await deeds[Math.floor(Math.random() * deeds.length)]!(clients[n % 2]!, urls[n % 2]!, n));
  };
  await Promise.all(Array.from({ length: LANES }, (_, offset) => lane(offset)));
  const sum = (of: (change: Change) => number): number => changes.reduce((total, change) => total + of(change), 0);
  const nodes = await everything();
  expect(nodes).toHaveLength(sum(({ created }) => created) - sum(({ removed }) => removed));
  const names = nodes.map(({ collection, customer_reference }) => `${collection} ${customer_reference}`);
  expect(new Set(names).size).toBe(names.length);
  expect(nodes.filter(({ lot_id }) => lot_id === 'broken')).toEqual([]);
});
