import { once } from 'node:events';
import http from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { Readable } from 'node:stream';
import express from 'express';
import { sendBytes } from './streamed-file.js';

test('sending a file ends if its client disconnects just before the end of the file', async () => {
  let sent: Promise<void> | undefined;
  const app = express().get('/', (request, response) => {
    const file = {
      mediaType: 'text/plain',
      name: 'file.txt',
      through: async function* (chunks: AsyncIterable<Buffer>) {
        yield* chunks;
        request.socket.destroy();
      },
    };
    sent = sendBytes(response, file, Readable.from([Buffer.from('text')], { objectMode: false }));
  });
  const server = http.createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1', () => client.end('GET / HTTP/1.1\r\nhost: a\r\n\r\n'));
  await once(client.resume(), 'close');
  await Promise.allSettled([sent]);
  await new Promise((resolve) => server.close(resolve));
});
