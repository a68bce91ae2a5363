import { randomUUID } from 'node:crypto';
import { Follower, startTestService, type TestService } from '@fibre/testing';
import { coverageService } from '../../src/coverage-service.js';
import { type Client, create, idsOf, invalid, list, type Node, NODES, operator, problemOf } from './access-nodes.js';

let service: TestService;
let ano: Client;
let relation_id: string;

beforeAll(async () => {
  service = await startTestService(coverageService);
  ano = await operator(service);
});
beforeEach(() => void (relation_id = randomUUID()));
afterAll(() => service.close());

const several = (count: number, target = 'nodes'): Promise<Node[]> =>
  Promise.all(Array.from({ length: count }, () => create(ano, { relation_id }, target)));
const remove = (node_ids: unknown, query: object = {}) => ano.post(`${NODES}deletions/`).query(query).send({ node_ids });
const left = async (): Promise<string[]> =>
  [...idsOf(await list(ano, { relation_id })), ...idsOf(await list(ano, { relation_id, target: 'prenodes' }))].sort();

test('nodes of both collections are deleted, each once, and the feed has those of production', async () => {
  const [nodes, drafts, kept] = [await several(3), await several(2, 'prenodes'), await several(1)];
  const follower = new Follower(ano, `${NODES}changes/`);
  await follower.catchUp();
  const ids = idsOf([...nodes, ...drafts]);
  const answer = await remove([...ids, ids[0]!.toUpperCase()]);
  expect([answer.status, answer.body]).toEqual([200, { deleted: 5 }]);
  expect(await left()).toEqual(idsOf(kept));
  const changes = await follower.catchUp();
  expect(changes.map(({ change }) => change)).toEqual(['deleted', 'deleted', 'deleted']);
});

test('a dry run only counts', async () => {
  const ids = idsOf(await several(2)).sort();
  const answer = await remove(ids, { dry_run: 'true' });
  expect([answer.status, answer.body]).toEqual([200, { deleted: 2 }]);
  expect(await left()).toEqual(ids);
});

test.each(['true', 'false'])('ids that are not of the tenant are all named, and nothing is deleted (dry_run=%s)', async (dry_run) => {
  const ids = idsOf(await several(2)).sort();
  const foreign = (await create(await operator(service, 'ano.other'))).node_id;
  const absent = randomUUID();
  const answer = await remove([ids[0], foreign, ids[1], absent], { dry_run });
  expect(problemOf(answer)).toEqual({ status: 422, code: 'nodes-not-found', offenders: ['#/node_ids/1', '#/node_ids/3'] });
  expect(answer.body.errors).toEqual([
    { pointer: '#/node_ids/1', detail: expect.stringContaining(foreign) as string },
    { pointer: '#/node_ids/3', detail: expect.stringContaining(absent) as string },
  ]);
  expect(await left()).toEqual(ids);
});

test.each<[string, unknown, string]>([
  ['no ids', [], '#/node_ids'],
  ['too many', Array.from({ length: 1_001 }, () => randomUUID()), '#/node_ids'],
  ['no UUID', [randomUUID(), 'x'], '#/node_ids/1'],
  ['no list', undefined, '#/node_ids'],
])('%s are refused', async (_what, ids, offender) => {
  expect(problemOf(await remove(ids))).toEqual(invalid(offender));
});

test('a thousand nodes are deleted at once, and of several requests for the same nodes one succeeds', async () => {
  const ids = idsOf(await several(1_000));
  const answers = await Promise.all([ids, ids.toReversed(), ids].map((each) => remove(each).then((it) => it)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422]);
  expect(answers.find(({ status }) => status === 200)!.body).toEqual({ deleted: 1_000 });
  expect(answers.find(({ status }) => status === 422)!.body.errors).toHaveLength(1_000);
});
