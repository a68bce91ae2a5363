import { randomUUID } from 'node:crypto';
import { startTestService, type TestService } from '@fibre/testing';
import { coverageService } from '../../src/coverage-service.js';
import { type Client, create, idsOf, invalid, list, NODES, operator, problemOf } from './access-nodes.js';

let service: TestService;
let ano: Client;

beforeAll(async () => {
  service = await startTestService(coverageService);
  ano = await operator(service);
});
afterAll(() => service.close());

/** A relation with two production nodes and one pre-production node. */
async function relation(): Promise<{ relation_id: string; left: () => Promise<[nodes: number, prenodes: number]> }> {
  const relation_id = randomUUID();
  for (const target of ['nodes', 'nodes', 'prenodes']) await create(ano, { relation_id }, target);
  const count = async (target: string): Promise<number> => (await list(ano, { relation_id, target })).length;
  return { relation_id, left: async () => [await count('nodes'), await count('prenodes')] };
}

test('a bulk delete removes the production nodes of one relation and returns 204 without a body', async () => {
  const [{ relation_id, left }, other] = [await relation(), await relation()];
  const answer = await ano.delete('/v2/cov/nodes').query({ relation_id });
  expect([answer.status, answer.text, answer.headers['content-type']]).toEqual([204, '', undefined]);
  expect([await left(), await other.left()]).toEqual([
    [0, 1],
    [2, 1],
  ]);
});

test.each<[string, [number, number]]>([
  ['nodes', [0, 1]],
  ['prenodes', [2, 0]],
])('target=%s chooses the collection', async (target, expected) => {
  const { relation_id, left } = await relation();
  expect((await ano.delete(NODES).query({ relation_id: relation_id.toUpperCase(), target })).status).toBe(204);
  expect(await left()).toEqual(expected);
});

test('a bulk delete for a relation without nodes returns 204, however often it is sent', async () => {
  const { relation_id } = await relation();
  for (let n = 0; n < 3; n++) expect((await ano.delete(NODES).query({ relation_id })).status).toBe(204);
  expect((await ano.delete(NODES).query({ relation_id: randomUUID(), target: 'prenodes' })).status).toBe(204);
});

test('a bulk delete with a typo deletes nothing', async () => {
  const { relation_id, left } = await relation();
  const id = `relation_id=${relation_id}`;
  const typos: [query: string, ...offenders: string[]][] = [
    ['', 'relation_id'],
    ['target=nodes', 'relation_id'],
    [`relation-id=${relation_id}`, 'relation-id', 'relation_id'],
    [`relation_id=${relation_id.slice(1)}`, 'relation_id'],
    ['relation_id=', 'relation_id'],
    ['relation_id=*', 'relation_id'],
    [`${id}&${id}`, 'relation_id'],
    [`${id}&relation_id=${randomUUID()}`, 'relation_id'],
    [`relation_id[]=${relation_id}`, 'relation_id[]', 'relation_id'],
    [`${id}&target=prenode`, 'target'],
    [`${id}&target=`, 'target'],
    [`${id}&target=Nodes`, 'target'],
    [`${id}&target=nodes,prenodes`, 'target'],
    [`${id}&target=nodes&target=prenodes`, 'target'],
    [`${id}&tarqet=prenodes`, 'tarqet'],
    [`${id}&Target=prenodes`, 'Target'],
    [`${id}&target%20=prenodes`, 'target '],
    [`${id}&token=planned`, 'token'],
    [`${id};target=prenodes`, 'relation_id'],
    [`${id}%00`, 'relation_id'],
    [`${id}&__proto__=1`, '__proto__'],
    [`${id}&constructor=1`, 'constructor'],
  ];
  for (const [query, ...offenders] of typos) {
    expect([query, problemOf(await ano.delete(`${NODES}?${query}`))]).toEqual([query, invalid(...offenders)]);
    expect([query, problemOf(await ano.put(`${NODES}?${query}`)).status]).toEqual([query, 422]);
  }
  expect(await left()).toEqual([2, 1]);
});

test('a single delete rejects parameters instead of ignoring them', async () => {
  const node = await create(ano);
  expect(problemOf(await ano.delete(`${NODES}${node.node_id}`).query({ target: 'prenodes' }))).toEqual(invalid('target'));
  expect(idsOf(await list(ano, { relation_id: node.relation_id }))).toEqual([node.node_id]);
  expect((await ano.delete(`${NODES}${node.node_id}`)).status).toBe(204);
});
