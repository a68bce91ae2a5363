import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { Listeners } from './listeners.js';

const CONNECTIONS = 300;

async function start(port = 0): Promise<{ server: Server; listeners: Listeners; port: number }> {
  const server = createServer((_request, response) => response.end('here'));
  const listeners = new Listeners();
  await listeners.listen(server, port, '127.0.0.1');
  return { server, listeners, port: (server.address() as AddressInfo).port };
}
const close = ({ server, listeners }: { server: Server; listeners: Listeners }) =>
  Promise.all([new Promise((resolve) => server.close(resolve)), listeners.close()]);

test('connections on whatever socket of the port are served, and nobody is accepted after the end', async () => {
  const service = await start();
  const sockets = Array.from({ length: CONNECTIONS }, () => connect(service.port, '127.0.0.1'));
  const answers = sockets.map(async (socket) => {
    socket.write('GET / HTTP/1.1\r\nhost: test\r\nconnection: close\r\n\r\n');
    let text = '';
    for await (const chunk of socket) text += String(chunk);
    return text;
  });
  for (const text of await Promise.all(answers)) expect(text).toMatch(/^HTTP\/1\.1 200 .*here$/s);
  await close(service);
  const [error] = (await once(connect(service.port, '127.0.0.1'), 'error')) as [NodeJS.ErrnoException];
  expect(error.code).toBe('ECONNREFUSED');
});

test('a port that another one has is refused, although both could share it', async () => {
  const service = await start();
  await expect(start(service.port)).rejects.toMatchObject({ code: 'EADDRINUSE' });
  await close(service);
});
