import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { ProblemFilter } from '@fibre/problems';
import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host.js';
import express, { type NextFunction, type Request, type Response } from 'express';
import { readJsonBody } from './json-body.js';
import { admitStream, bodyOf } from './streamed-body.js';

const TIMEOUT_MS = 500;
/** A period twice as long as the longest silence, like that of a file. */
const PACE = { idleMs: TIMEOUT_MS, leastBytes: 1_000, periodMs: 2 * TIMEOUT_MS };

let server: Server;
let port: number;

beforeAll(async () => {
  const app = express();
  app.post('/json', async (request, response) => {
    await readJsonBody(request, response, ['application/json'], PACE);
    response.end('read');
  });
  app.post('/file', async (request, response) => {
    admitStream(request, ['text/csv'], PACE);
    for await (const chunk of bodyOf(request).read(1_000_000)) void chunk;
    response.end('read');
  });
  const filter = new ProblemFilter([]);
  app.use((error: unknown, request: Request, response: Response, _next: NextFunction) =>
    filter.catch(error, new ExecutionContextHost([request, response])),
  );
  server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  ({ port } = server.address() as AddressInfo);
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** Announces a body, sends `perStep` bytes of it every fifth of the time limit, and stops after `count` steps. @returns everything received */
async function send(path: string, type: string, bytes: number, perStep: number, count = bytes / perStep, first = 0): Promise<string> {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  let answer = '';
  socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
  const closed = once(socket, 'close');
  socket.write(`POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: ${type}\r\ncontent-length: ${bytes}\r\n\r\n`);
  socket.write(' '.repeat(first));
  for (let sent = 0; sent < count && !answer; sent++, await sleep(TIMEOUT_MS / 5)) socket.write(' '.repeat(perStep - 1) + '{');
  if (count * perStep < bytes) await closed;
  else if (!answer) await once(socket, 'data');
  socket.destroy();
  return answer;
}

const FILE = ['/file', 'text/csv'] as const;
const JSON_BODY = ['/json', 'application/json'] as const;
const IDLE = `No byte of the body arrived for 0.5 s`;
const SLOW = `Less than 1000 bytes of the body arrived in 1 s`;
const timeout = (path: string, detail: string) =>
  new RegExp(
    `^HTTP/1\\.1 408 [^]*connection: close[^]*request-timeout[^]*"detail":"${detail}; the connection is closed\\."[^]*"instance":"${path}"`,
    'i',
  );

test.each([
  ['quickly', 500_000, 25_000],
  ['slowly', 4_000, 250],
])('a file that arrives %s may take as long as it needs', async (_how, bytes, perStep) => {
  expect(await send(...FILE, bytes, perStep)).toMatch(/^HTTP\/1\.1 200 /);
});

test('the same holds for a JSON body', async () => {
  expect(await send(...JSON_BODY, 500_000, 25_000)).toMatch(/^HTTP\/1\.1 400 /);
});

test.each([
  ['a file that stops arriving', ...FILE, 100_000, 1_000, 3, IDLE],
  ['a file of which nothing arrives', ...FILE, 100_000, 1_000, 0, IDLE],
  ['a file that drips', ...FILE, 100, 1, 99, SLOW],
  ['a file that drips after a good begin', ...FILE, 100_000, 100, 999, SLOW, 66_000],
  ['a JSON body that stops arriving', ...JSON_BODY, 100_000, 1_000, 3, IDLE],
  ['a JSON body that drips', ...JSON_BODY, 100, 1, 99, SLOW],
])(
  '%s is abandoned, the response says why, and the connection closes',
  async (_what, path, type, bytes, perStep, count, detail, first = 0) => {
    expect(await send(path, type, bytes, perStep, count, first)).toMatch(timeout(path, detail));
  },
);
