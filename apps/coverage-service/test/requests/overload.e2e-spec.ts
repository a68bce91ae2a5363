import { connect } from 'node:net';
import { loadPerProcessor, until } from '@fibre/testing';
import { newNode, NODES, SEARCH } from '../access-nodes/access-nodes.js';
import { type NarrowService, startNarrowService } from './narrow-service.js';

let service: NarrowService;

// The requests that wait must not reach their deadline while a test sends more, even on a busy machine.
beforeEach(async () => void (service = await startNarrowService({ REQUEST_DEADLINE_SECONDS: String(2 * loadPerProcessor()) })));
afterEach(() => service.close());

test('requests above the limit are rejected at once, before their token is checked; probes pass, and admitted requests are served', async () => {
  await service.block();
  const headers = await Promise.all([service.bearer({ jti: 'a' }), service.bearer({ jti: 'b' })]);
  const admitted = [...headers, ...headers].map((each) => fetch(`${service.url}${SEARCH}?center=0,0`, { headers: each }));
  // The pool has one connection, which the other requests wait for.
  await until('http_requests_in_flight === 4', async () => (await service.metric('http_requests_in_flight')) === 4);

  const refused = await fetch(`${service.url}${NODES}x?y=z`, {
    headers: { authorization: 'Bearer forged', 'x-request-id': 'mine', origin: 'https://portal.example.net' },
  });
  expect(refused.status).toBe(503);
  expect(Object.fromEntries(refused.headers)).toMatchObject({
    'content-type': 'application/problem+json',
    'retry-after': expect.stringMatching(/^[1-9]$/) as string,
    'x-request-id': 'mine',
    'access-control-allow-origin': 'https://portal.example.net',
    'access-control-expose-headers': expect.stringContaining('retry-after') as string,
  });
  expect(await refused.json()).toMatchObject({ status: 503, code: 'unavailable', instance: `${NODES}x`, request_id: 'mine' });
  for (const path of ['/health/live', '/health/ready', '/metrics']) expect((await fetch(service.url + path)).status).toBe(200);
  expect(await service.metric('http_requests_refused_total\\{reason="queue-full"\\}')).toBe(1);

  await service.unblock();
  for (const answer of await Promise.all(admitted)) expect(answer.status).toBe(200);
});

test('one client gets at most half of the slots', async () => {
  await service.block();
  const headers = await service.bearer();
  const greedy = Array.from({ length: 6 }, () => fetch(`${service.url}${SEARCH}?center=0,0`, { headers }));
  await until(
    'http_requests_refused_total === 4',
    async () => (await service.metric('http_requests_refused_total\\{reason="queue-full"\\}')) === 4,
  );
  expect(await service.metric('http_requests_in_flight')).toBe(2);
  const modest = fetch(`${service.url}${SEARCH}?center=0,0`, { headers: await service.bearer({ jti: 'modest' }) });
  await until('http_requests_in_flight === 3', async () => (await service.metric('http_requests_in_flight')) === 3);
  await service.unblock();
  expect((await modest).status).toBe(200);
  expect((await Promise.all(greedy)).map(({ status }) => status).sort()).toEqual([200, 200, 503, 503, 503, 503]);
});

test.each([
  ['a long body', {}, ' '.repeat(70_000)],
  ['a body announced by Expect', { expect: '100-continue' }, ''],
])('%s counts like any other request', async (_what, extra, padding) => {
  await service.block();
  const { authorization } = await service.bearer();
  const { hostname, port } = new URL(service.url);
  const body = padding + JSON.stringify(newNode());
  const answers = Array.from({ length: 6 }, () => {
    const socket = connect(Number(port), hostname);
    const headers = {
      host: 'test',
      authorization,
      'content-type': 'application/json',
      'content-length': body.length,
      connection: 'close',
      ...extra,
    };
    socket.write(
      `POST ${NODES} HTTP/1.1\r\n${Object.entries(headers)
        .map((header) => header.join(': '))
        .join('\r\n')}\r\n\r\n${body}`,
    );
    return new Promise<string>((resolve) => {
      let text = '';
      socket
        .on('data', (chunk: Buffer) => (text += chunk.toString()))
        .once('close', () => resolve(text.replace('HTTP/1.1 100 Continue\r\n\r\n', '').slice(9, 12)));
    });
  });
  await until(
    'http_requests_refused_total === 4',
    async () => (await service.metric('http_requests_refused_total\\{reason="queue-full"\\}')) === 4,
  );
  expect(await service.metric('http_requests_in_flight')).toBe(2);
  await service.unblock();
  expect((await Promise.all(answers)).sort()).toEqual(['201', '201', '503', '503', '503', '503']);
});

test('Expect on a request without a body changes nothing: the request counts, and it has a deadline', async () => {
  await service.block();
  const { authorization } = await service.bearer();
  const { hostname, port } = new URL(service.url);
  const socket = connect(Number(port), hostname);
  socket.write(
    `GET ${NODES} HTTP/1.1\r\nhost: test\r\nauthorization: ${authorization}\r\nexpect: 100-continue\r\nconnection: close\r\n\r\n`,
  );
  let text = '';
  const answer = new Promise<string>((resolve) =>
    socket.on('data', (chunk: Buffer) => (text += chunk.toString())).once('close', () => resolve(text)),
  );
  await until('http_requests_in_flight === 1', async () => (await service.metric('http_requests_in_flight')) === 1);
  expect(await answer).toMatch(/^(HTTP\/1\.1 100 Continue\r\n\r\n)?HTTP\/1\.1 503 /);
  await service.unblock();
});

test('bodies that are still arriving share a limit in bytes, of which one client gets at most half', async () => {
  const { authorization } = await service.bearer();
  const { hostname, port } = new URL(service.url);
  const begin = (bytes: number, token: string) => {
    const socket = connect(Number(port), hostname);
    socket.write(
      `POST ${NODES} HTTP/1.1\r\nhost: test\r\nauthorization: ${token}\r\ncontent-type: application/json\r\ncontent-length: ${bytes}\r\nconnection: close\r\n\r\n {`,
    );
    return socket;
  };
  const slow = begin(1_048_576, authorization);
  await until('http_body_bytes === 1048576', async () => (await service.metric('http_body_bytes')) === 1_048_576);
  const second = begin(1_048_576, authorization);
  expect(await new Promise((resolve) => second.once('data', (chunk: Buffer) => resolve(chunk.toString().slice(0, 12))))).toBe(
    'HTTP/1.1 503',
  );
  const other = await service.bearer({ jti: 'other' });
  const created = await fetch(`${service.url}${NODES}`, {
    method: 'POST',
    headers: { ...other, 'content-type': 'application/json' },
    body: JSON.stringify(newNode()),
  });
  expect(created.status).toBe(201);
  slow.destroy();
  await until('http_body_bytes === 0', async () => (await service.metric('http_body_bytes')) === 0);
});

test('a service with all connections in use is ready', async () => {
  await service.block();
  const url = `${service.url}${NODES}?relation_id=00000000-0000-4000-8000-000000000001`;
  const stuck = fetch(url, { method: 'DELETE', headers: await service.bearer() });
  await until('statements that wait: 1', async () => (await service.blocked()) === 1);
  expect((await fetch(`${service.url}/health/ready`)).status).toBe(200);
  await service.unblock();
  expect((await stuck).status).toBe(204);
});
