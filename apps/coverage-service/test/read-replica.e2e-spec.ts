import { startTestService, type TestService } from '@fibre/testing';
import { coverageService } from '../src/coverage-service.js';
import { type Client, create, type Node, NODES, operator, SEARCH } from './access-nodes.js';

let elsewhere: TestService;
let service: TestService;
let ano: Client;
let theirs: Node;
let ours: Node;

/** For a replica stands a database with other nodes, so that every answer tells where it comes from. */
beforeAll(async () => {
  elsewhere = await startTestService(coverageService);
  theirs = await create(await operator(elsewhere), { center: '10, 10' });
  service = await startTestService(coverageService, { DATABASE_REPLICA_URL: elsewhere.databaseUrl });
  ano = await operator(service);
  ours = await create(ano, { center: '10, 10' });
});
afterAll(() => service.close());

const listed = async (): Promise<Node[]> => (await ano.get(NODES).expect(200)).body as Node[];
const found = async (): Promise<Node[]> => (await ano.get(SEARCH).query({ center: '10, 10' }).expect(200)).body as Node[];
const idsOf = (nodes: Node[]): string[] => nodes.map(({ node_id }) => node_id);

test('listings and searches read from the replica, single nodes and every write from the database itself', async () => {
  expect([idsOf(await listed()), idsOf(await found())]).toEqual([[theirs.node_id], [theirs.node_id]]);
  await ano.get(`${NODES}${ours.node_id}`).expect(200);
  await ano.patch(`${NODES}${ours.node_id}`).send({ token: 'operation' }).expect(200);
  await ano.get(`${NODES}${theirs.node_id}`).expect(404);
  const { text } = await service.anonymous().get('/metrics');
  for (const pool of ['primary', 'replica']) expect(text).toMatch(new RegExp(`^db_pool_idle_connections\\{pool="${pool}"\\} [1-9]`, 'm'));
});

test('without its replica the service answers from the database itself, and is ready', async () => {
  await elsewhere.close();
  const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => (index % 2 ? listed() : found())));
  for (const nodes of answers) expect(idsOf(nodes)).toEqual([ours.node_id]);
  expect((await service.anonymous().get('/health/ready')).status).toBe(200);
});
