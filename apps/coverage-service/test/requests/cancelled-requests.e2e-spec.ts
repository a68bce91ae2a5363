import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '@fibre/testing';
import { create, newNode, NODES, operator, SEARCH } from '../access-nodes/access-nodes.js';
import { type NarrowService, startNarrowService } from './narrow-service.js';

let service: NarrowService;

beforeEach(async () => void (service = await startNarrowService()));
afterEach(() => service.close());

test('when its client has disconnected, a request sends no more statements, and its transaction is rolled back', async () => {
  const ano = await operator(service);
  const node = await create(ano);
  await service.block();
  const client = new AbortController();
  // This request has a deadline of a minute.
  const url = `${service.url}${NODES}?relation_id=${node.relation_id}`;
  const request = fetch(url, { method: 'DELETE', headers: await service.bearer(), signal: client.signal }).catch(() => 'gone');
  await until('statements that wait: 1', async () => (await service.blocked()) === 1);
  client.abort();
  expect(await request).toBe('gone');
  const ended = 'http_request_duration_seconds_count\\{method="DELETE",route=".+",status="499"\\}';
  await until('the end of the request', async () => (await service.metric(ended)) === 1);
  await service.unblock();
  // This request waits for the only connection, and therefore for the end of the transaction.
  expect((await ano.get(`${NODES}${node.node_id}`)).body).toEqual(node);
});

test('a request that is still waiting for a connection at its deadline gets 503', async () => {
  const ano = await operator(service);
  const { node_id } = await create(ano);
  await service.block();
  const running = ano.get(`${NODES}${node_id}`).then(({ status }) => status);
  await until('statements that wait: 1', async () => (await service.blocked()) === 1);
  const answers = await Promise.all([
    ano.post(NODES).send(newNode()),
    ...['ano.c', 'ano.d'].map(async (tenant) => (await operator(service, tenant)).get(SEARCH).query({ center: '0,0' })),
  ]);
  for (const answer of answers) {
    expect(answer.status).toBe(503);
    expect(answer.body.detail).toBe('The request took too long; nothing was done.');
  }
  await service.unblock();
  // This request sent its statement before its deadline.
  expect(await running).toBe(200);
  expect((await ano.get(NODES)).body).toHaveLength(1);
});

test('a bulk update, merge and deletion may take longer than other requests', async () => {
  const ano = await operator(service);
  const { relation_id, node_id } = await create(ano, {}, 'prenodes');
  for (const send of [
    () => ano.patch(NODES).send({ node_ids: [node_id], set: { token: 'operation' } }),
    () => ano.put(NODES).query({ relation_id }),
    () => ano.delete(NODES).query({ relation_id, target: 'nodes' }),
  ]) {
    await service.block();
    const running = send().then(({ status }) => status);
    await until('statements that wait: 1', async () => (await service.blocked()) === 1);
    // Longer than the deadline of other requests.
    await sleep(2_500);
    await service.unblock();
    expect([200, 204]).toContain(await running);
  }
  expect((await ano.get(NODES)).body).toEqual([]);
});
