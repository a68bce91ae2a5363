import { until } from '@fibre/testing';
import { ALL_SCOPES, create, newNode, NODES, operator, SEARCH } from './access-nodes.js';
import { type NarrowService, startNarrowService } from './narrow-service.js';

let service: NarrowService;

beforeEach(async () => void (service = await startNarrowService()));
afterEach(() => service.close());

test('when its client has gone, a statement is cancelled on the server and nothing is done', async () => {
  const ano = await operator(service);
  const node = await create(ano);
  await service.block();
  const client = new AbortController();
  // It has a minute of its own.
  const url = `${service.url}${NODES}?relation_id=${node.relation_id}`;
  const request = fetch(url, { method: 'DELETE', headers: await service.bearer(), signal: client.signal }).catch(() => 'gone');
  await until('statements that wait: 1', async () => (await service.blocked()) === 1);
  client.abort();
  expect(await request).toBe('gone');
  const begin = performance.now();
  await until('statements that wait: 0', async () => (await service.blocked()) === 0);
  expect(performance.now() - begin).toBeLessThan(30_000);
  await service.unblock();
  expect((await ano.get(`${NODES}${node.node_id}`)).body).toEqual(node);
  expect(await service.metric('http_requests_cancelled_total\\{reason="client-gone"\\}')).toBe(1);
});

test('at its deadline a request ends with 503, waiting for a connection or for a statement, whoever made that', async () => {
  const ano = await operator(service);
  const { node_id } = await create(ano);
  await service.block();
  const answers = await Promise.all([
    ano.get(`${NODES}${node_id}`),
    ano.post(NODES).send(newNode()),
    ...['c', 'd'].map(async (jti) => (await service.as({ scope: ALL_SCOPES, claims: { jti } })).get(SEARCH).query({ center: '0,0' })),
  ]);
  for (const answer of answers) {
    expect(answer.status).toBe(503);
    expect(answer.body.detail).toBe('The request took too long; nothing was done.');
  }
  await until('statements that wait: 0', async () => (await service.blocked()) === 0);
  await service.unblock();
  expect((await ano.get(NODES)).body).toHaveLength(1);
});
