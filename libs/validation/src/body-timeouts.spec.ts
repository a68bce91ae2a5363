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
let server: Server;
let port: number;

beforeAll(async () => {
  const app = express();
  app.post('/json', async (request, response) => {
    await readJsonBody(request, response, ['application/json'], TIMEOUT_MS);
    response.end('read');
  });
  app.post('/file', async (request, response) => {
    admitStream(request, ['text/csv'], TIMEOUT_MS);
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
async function send(path: string, type: string, bytes: number, perStep: number, count = bytes / perStep): Promise<string> {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  let answer = '';
  socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
  const closed = once(socket, 'close');
  socket.write(`POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: ${type}\r\ncontent-length: ${bytes}\r\n\r\n`);
  for (let sent = 0; sent < count && !answer; sent++, await sleep(TIMEOUT_MS / 5)) socket.write(' '.repeat(perStep - 1) + '{');
  if (count * perStep < bytes) await closed;
  else if (!answer) await once(socket, 'data');
  socket.destroy();
  return answer;
}

const FILE = ['/file', 'text/csv'] as const;
const JSON_BODY = ['/json', 'application/json'] as const;
const TOO_SLOW = (path: string) => new RegExp(`^HTTP/1\\.1 408 [^]*connection: close[^]*request-timeout[^]*"instance":"${path}"`, 'i');

test('a file may take as long as it needs while enough of it arrives', async () => {
  expect(await send(...FILE, 500_000, 25_000)).toMatch(/^HTTP\/1\.1 200 /);
});

test('the same holds for a JSON body', async () => {
  expect(await send(...JSON_BODY, 500_000, 25_000)).toMatch(/^HTTP\/1\.1 400 /);
});

test.each([
  ['a file that stops arriving', ...FILE, 100_000, 1_000, 3],
  ['a file that drips', ...FILE, 100, 1, 99],
  ['a file that drips after a good begin', ...FILE, 70_000, 66_000, 1],
  ['a JSON body that stops arriving', ...JSON_BODY, 100_000, 1_000, 3],
  ['a JSON body that drips', ...JSON_BODY, 100, 1, 99],
])('%s is abandoned, and the connection closes', async (_what, path, type, bytes, perStep, count) => {
  expect(await send(path, type, bytes, perStep, count)).toMatch(TOO_SLOW(path));
});
