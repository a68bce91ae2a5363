import { connect, type Socket } from 'node:net';
import { loadPerProcessor, until } from '@fibre/testing';
import { generateKeyPair } from 'jose';
import { newNode, NODES, SEARCH } from '../access-nodes/access-nodes.js';
import { type NarrowService, startNarrowService } from './narrow-service.js';

let service: NarrowService;

// The requests that wait must not reach their deadline while a test sends more, even on a busy machine.
const start = (settings = {}) => startNarrowService({ REQUEST_DEADLINE_SECONDS: String(2 * loadPerProcessor()), ...settings });
beforeEach(async () => void (service = await start()));
afterEach(() => service.close());

/** Starts the service with other settings. */
async function again(settings: Record<string, string>): Promise<NarrowService> {
  await service.close();
  return start(settings);
}

test('requests above the limit are rejected at once, whatever their token; probes pass, and admitted requests are served', async () => {
  await service.block();
  const headers = await Promise.all([service.bearer('ano.a'), service.bearer('ano.b')]);
  const admitted = [...headers, ...headers].map((each) => fetch(`${service.url}${SEARCH}?center=0,0`, { headers: each }));
  // The pool has one connection, which the other requests wait for.
  await until('requests in progress === 4', async () => (await service.used('requests')) === 4);

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
  expect(await service.refused('requests')).toBe(1);

  await service.unblock();
  for (const answer of await Promise.all(admitted)) expect(answer.status).toBe(200);
});

test('one client gets at most half of the slots', async () => {
  await service.block();
  const headers = await service.bearer();
  const greedy = Array.from({ length: 6 }, () => fetch(`${service.url}${SEARCH}?center=0,0`, { headers }));
  await until('4 refused requests', async () => (await service.refused('requests')) === 4);
  expect(await service.used('requests')).toBe(2);
  const modest = fetch(`${service.url}${SEARCH}?center=0,0`, { headers: await service.bearer('ano.modest') });
  await until('requests in progress === 3', async () => (await service.used('requests')) === 3);
  await service.unblock();
  expect((await modest).status).toBe(200);
  expect((await Promise.all(greedy)).map(({ status }) => status).sort()).toEqual([200, 200, 503, 503, 503, 503]);
});

test('a refused request keeps its slot for a moment, so that a client cannot get thousands of refusals a second', async () => {
  service = await again({ MAX_REQUESTS_IN_FLIGHT: '2', MAX_REQUESTS_WAITING: '10', MAX_REQUEST_WAIT_MS: '5000' });
  const headers = await service.bearer();
  const msOf = async (path: string, status: number): Promise<number> => {
    const begin = performance.now();
    for (let sent = 0; sent < 20; sent++) expect((await fetch(service.url + path, { headers })).status).toBe(status);
    return performance.now() - begin;
  };
  // Each waits for the only slot of its client.
  expect(await msOf(`${NODES}none`, 422)).toBeGreaterThan(400);
  await until('nothing in progress', async () => (await service.used('requests')) === 0);
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
  await until('4 refused requests', async () => (await service.refused('requests')) === 4);
  expect(await service.used('requests')).toBe(2);
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
  await until('requests in progress === 1', async () => (await service.used('requests')) === 1);
  expect(await answer).toMatch(/^(HTTP\/1\.1 100 Continue\r\n\r\n)?HTTP\/1\.1 503 /);
  await service.unblock();
});

test('bytes of bodies that have arrived share a limit; announced bytes wait for the share of their client, which is half', async () => {
  const begin = async (tenant: string, bytes: number) => {
    const { hostname, port } = new URL(service.url);
    const { authorization } = await service.bearer(tenant);
    const socket = connect(Number(port), hostname).on('error', () => undefined);
    const head = `POST ${NODES} HTTP/1.1\r\nhost: test\r\nauthorization: ${authorization}\r\ncontent-type: application/json\r\n`;
    socket.write(`${head}content-length: 1048576\r\n\r\n${' '.repeat(bytes)}`);
    return socket;
  };
  const answerOf = (socket: Socket) => new Promise<string>((resolve) => socket.once('data', (chunk) => resolve(chunk.toString())));
  // Ten megabytes are announced, of which two may be in memory.
  const announced = await Promise.all(Array.from({ length: 10 }, (_each, index) => begin(`ano.${index}`, 0)));
  await until('10 announcements', async () => (await service.used('announced body bytes')) === 10_485_760);
  for (const socket of announced.slice(0, 3)) socket.write(' '.repeat(600_000));
  await until('body bytes === 1800000', async () => (await service.used('body bytes')) === 1_800_000);
  const refused = answerOf(announced[3]!);
  announced[3]!.write(' '.repeat(600_000));
  expect(await refused).toMatch(/^HTTP\/1\.1 503 [^]*connection: close/i);
  // A client that has announced a megabyte waits with the next one.
  for (const socket of announced.slice(0, 4)) socket.destroy();
  const next = await begin('ano.9', 0);
  const answer = answerOf(next);
  const leaver = await begin('ano.9', 0);
  const waiting = (): Promise<number> => service.metric('limit_waiting\\{limit="announced body bytes"\\}');
  await until('two bodies wait', async () => (await waiting()) === 2);
  leaver.destroy();
  await until('one body waits', async () => (await waiting()) === 1);
  expect(await service.metric('limit_refused_total\\{limit="announced body bytes",reason="timeout"\\}')).toBe(0);
  announced[9]!.destroy();
  next.write(JSON.stringify(newNode()).padEnd(1_048_576));
  expect(await answer).toMatch(/^HTTP\/1\.1 201 /);
  next.destroy();
  expect(await answerOf(await begin('ano.8', 0))).toMatch(/^HTTP\/1\.1 503 [^]*connection: close/i);
  const created = await fetch(`${service.url}${NODES}`, {
    method: 'POST',
    headers: { ...(await service.bearer('ano.other')), 'content-type': 'application/json' },
    body: JSON.stringify(newNode()),
  });
  expect(created.status).toBe(201);
  for (const socket of announced) socket.destroy();
  await until('body bytes === 0', async () => (await service.used('body bytes')) === 0);
  expect(await service.used('announced body bytes')).toBe(0);
});

/** Spellings of one token: the last character of an RS256 signature has four bits that nobody reads, and `Bearer` has any case. */
function spellingsOf(authorization: string): string[] {
  const [, token = ''] = authorization.split(' ');
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const last = alphabet.indexOf(token.at(-1)!) & 0b110000;
  return Array.from({ length: 16 }, (_each, bits) => `${bits % 2 ? 'bearer' : 'BEARER'} ${token.slice(0, -1)}${alphabet[last | bits]}`);
}

test('a client with many spellings of its token is still one client', async () => {
  await service.block();
  const spellings = spellingsOf((await service.bearer()).authorization);
  const greedy = spellings.map((authorization) => fetch(`${service.url}${SEARCH}?center=0,0`, { headers: { authorization } }));
  await until('14 refused requests', async () => (await service.refused('requests')) === 14);
  expect(await service.used('requests')).toBe(2);
  await service.unblock();
  expect((await Promise.all(greedy)).filter(({ status }) => status === 200)).toHaveLength(2);
});

test('made-up tokens do not take the slots of clients with a valid one, not even of a new one', async () => {
  service = await again({ MAX_REQUESTS_WAITING: '64' });
  const forger = await generateKeyPair('RS256');
  let isOver = false;
  const statuses: number[] = [];
  const flood = Array.from({ length: 50 }, async (_each, lane) => {
    for (let count = 0; !isOver; count++) {
      const headers = {
        authorization: `Bearer ${await service.issuer.token({ claims: { jti: `${lane} ${count}` }, key: forger.privateKey })}`,
      };
      const answer = fetch(`${service.url}${SEARCH}?center=0,0`, { headers });
      // On a busy machine, the service may close an idle connection just when it is used again.
      await answer.then(({ status }) => statuses.push(status)).catch(() => undefined);
    }
  });
  try {
    for (let count = 0; count < 20; count++) {
      const answer = await fetch(`${service.url}${SEARCH}?center=0,0`, { headers: await service.bearer(`ano.${count}`) });
      expect(answer.status).toBe(200);
    }
  } finally {
    isOver = true;
    await Promise.all(flood);
  }
  expect(new Set(statuses).has(200)).toBe(false);
  expect(statuses.length).toBeGreaterThan(50);
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
