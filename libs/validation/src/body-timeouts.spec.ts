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
    for await (const chunk of bodyOf(request).read(1_000)) void chunk;
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

/** Announces a body of `bytes` bytes, sends one every `everyMs`, and stops after `count`. @returns everything received */
async function send(path: string, type: string, bytes: number, everyMs: number, count = bytes): Promise<string> {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  let answer = '';
  socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
  const closed = once(socket, 'close');
  socket.write(`POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: ${type}\r\ncontent-length: ${bytes}\r\n\r\n`);
  for (let sent = 0; sent < count && !answer; sent++, await sleep(everyMs)) socket.write(' ');
  if (count < bytes) await closed;
  else if (!answer) await once(socket, 'data');
  socket.destroy();
  return answer;
}

test('a file may take as long as it needs while its bytes arrive', async () => {
  expect(await send('/file', 'text/csv', 20, TIMEOUT_MS / 5)).toMatch(/^HTTP\/1\.1 200 /);
});

test('a file that stops arriving is abandoned, and the connection closes', async () => {
  expect(await send('/file', 'text/csv', 20, 10, 3)).toMatch(
    /^HTTP\/1\.1 408 [^]*connection: close[^]*request-timeout[^]*"instance":"\/file"/i,
  );
});

test('a JSON body must arrive in time, however steadily it drips', async () => {
  expect(await send('/json', 'application/json', 100, TIMEOUT_MS / 5, 99)).toMatch(
    /^HTTP\/1\.1 408 [^]*connection: close[^]*request-timeout[^]*"instance":"\/json"/i,
  );
});
