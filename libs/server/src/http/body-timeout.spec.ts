import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { admitStream } from '@fibre/validation';
import { boundBodies } from './body-timeout.js';

const TIMEOUT_MS = 600;
let server: Server;
let timedOut: Socket[];
/** What the handler does with the body. */
let handle: (request: IncomingMessage) => void;

beforeEach(async () => {
  timedOut = [];
  handle = (request) => void request.resume();
  server = createServer((request, response) => {
    handle(request);
    request.once('end', () => response.end('whole'));
  });
  server.requestTimeout = 0;
  boundBodies(server, TIMEOUT_MS);
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') timedOut.push(socket);
    socket.destroy();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
});
afterEach(() => void server.close());

function send(): Socket {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => undefined);
  socket.write('POST / HTTP/1.1\r\nhost: x\r\ncontent-type: text/csv\r\ncontent-length: 20\r\nconnection: close\r\n\r\n');
  return socket;
}

/** Sends 20 bytes in more time than one body has. */
async function trickle(socket: Socket): Promise<void> {
  for (let sent = 0; sent < 20 && !socket.destroyed; sent++, await sleep(TIMEOUT_MS / 10)) socket.write('x');
}

test('a body that takes too long ends its connection', async () => {
  const socket = send();
  await Promise.all([once(socket, 'close'), trickle(socket)]);
  expect(timedOut).toHaveLength(1);
});

test('one that is read as a stream may take as long as bytes come', async () => {
  handle = (request) => {
    admitStream(request as never, ['text/csv']);
    request.resume();
  };
  const socket = send();
  const [answer] = await Promise.all([once(socket, 'data'), trickle(socket)]);
  expect(String(answer[0])).toContain('200 OK');
  expect(timedOut).toEqual([]);
});

test('and ends its connection when none comes', async () => {
  handle = (request) => {
    admitStream(request as never, ['text/csv']);
    request.resume();
  };
  const socket = send();
  socket.write('xxx');
  await once(socket, 'close');
  expect(timedOut).toHaveLength(1);
});

test('once it is answered its rest has the time of a body, however it comes', async () => {
  let answered = 0;
  server.removeAllListeners('request');
  server.on('request', (request: IncomingMessage, response) => {
    admitStream(request as never, ['text/csv']);
    request.resume();
    response.end('refused', () => (answered = performance.now()));
  });
  boundBodies(server, TIMEOUT_MS);
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => undefined);
  socket.write('POST / HTTP/1.1\r\nhost: x\r\ncontent-type: text/csv\r\ncontent-length: 1000000\r\n\r\n');
  const answers: string[] = [];
  socket.on('data', (chunk: Buffer) => answers.push(chunk.toString()));
  while (!socket.destroyed) {
    socket.write('x');
    await sleep(TIMEOUT_MS / 10);
  }
  expect(performance.now() - answered).toBeGreaterThan(TIMEOUT_MS / 2);
  // There is one answer to one request.
  expect(answers.join('').match(/HTTP\/1\.1/g)).toHaveLength(1);
});
