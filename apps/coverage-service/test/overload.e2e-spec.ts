import { once } from 'node:events';
import { connect } from 'node:net';
import { until } from '@fibre/testing';
import { NODES, SEARCH } from './access-nodes.js';
import { type NarrowService, startNarrowService } from './narrow-service.js';

let service: NarrowService;

beforeEach(async () => void (service = await startNarrowService()));
afterEach(() => service.close());

test('what is over the bound is refused at once, before its token is looked at; probes pass, and who was admitted is served', async () => {
  await service.block();
  const headers = await Promise.all([service.bearer({ jti: 'a' }), service.bearer({ jti: 'b' })]);
  const admitted = [...headers, ...headers].map((each) => fetch(`${service.url}${SEARCH}?center=0,0`, { headers: each }));
  // The pool has two connections, and the two other requests wait for one.
  await until('http_requests_in_flight === 4', async () => (await service.metric('http_requests_in_flight')) === 4);

  const refused = await fetch(`${service.url}${NODES}x?y=z`, { headers: { authorization: 'Bearer forged', 'x-request-id': 'mine' } });
  expect(refused.status).toBe(503);
  expect(Object.fromEntries(refused.headers)).toMatchObject({
    'content-type': 'application/problem+json',
    'retry-after': expect.stringMatching(/^[1-9]$/) as string,
    'x-request-id': 'mine',
  });
  expect(await refused.json()).toMatchObject({ status: 503, code: 'unavailable', instance: `${NODES}x`, request_id: 'mine' });
  for (const path of ['/health/live', '/health/ready', '/metrics']) expect((await fetch(service.url + path)).status).toBe(200);
  expect(await service.metric('http_requests_refused_total\\{reason="queue-full"\\}')).toBe(1);

  await service.unblock();
  for (const answer of await Promise.all(admitted)) expect(answer.status).toBe(200);
});

test('a client that comes back at once on the same connection is refused later each time', async () => {
  await service.block();
  const headers = await Promise.all([service.bearer({ jti: 'a' }), service.bearer({ jti: 'b' })]);
  const admitted = [...headers, ...headers].map((each) => fetch(`${service.url}${SEARCH}?center=0,0`, { headers: each }));
  await until('http_requests_in_flight === 4', async () => (await service.metric('http_requests_in_flight')) === 4);

  const { hostname, port } = new URL(service.url);
  const socket = connect(Number(port), hostname);
  /** Milliseconds until the refusal. */
  const refusal = async (): Promise<number> => {
    const begin = performance.now();
    socket.write('GET / HTTP/1.1\r\nhost: test\r\n\r\n');
    const [chunk] = (await once(socket, 'data')) as [Buffer];
    expect(chunk.toString()).toMatch(/^HTTP\/1\.1 503 /);
    return performance.now() - begin;
  };
  for (let times = 0; times < 5; times++) await refusal();
  const [late, later] = [await refusal(), await refusal()];
  expect([late >= 70, later >= 140]).toEqual([true, true]);
  socket.destroy();
  await service.unblock();
  await Promise.all(admitted);
});

test('one client takes three quarters of the places at most', async () => {
  await service.block();
  const headers = await service.bearer();
  const greedy = Array.from({ length: 6 }, () => fetch(`${service.url}${SEARCH}?center=0,0`, { headers }));
  await until(
    'http_requests_refused_total === 3',
    async () => (await service.metric('http_requests_refused_total\\{reason="queue-full"\\}')) === 3,
  );
  expect(await service.metric('http_requests_in_flight')).toBe(3);
  const modest = fetch(`${service.url}${SEARCH}?center=0,0`, { headers: await service.bearer({ jti: 'modest' }) });
  await until('http_requests_in_flight === 4', async () => (await service.metric('http_requests_in_flight')) === 4);
  await service.unblock();
  expect((await modest).status).toBe(200);
  expect((await Promise.all(greedy)).map(({ status }) => status).sort()).toEqual([200, 200, 200, 503, 503, 503]);
});

test('a service whose connections are all in use is ready', async () => {
  await service.block();
  const url = `${service.url}${NODES}?relation_id=00000000-0000-4000-8000-000000000001`;
  const stuck = fetch(url, { method: 'DELETE', headers: await service.bearer() });
  await until('statements that wait: 1', async () => (await service.blocked()) === 1);
  expect((await fetch(`${service.url}/health/ready`)).status).toBe(200);
  await service.unblock();
  expect((await stuck).status).toBe(204);
});
