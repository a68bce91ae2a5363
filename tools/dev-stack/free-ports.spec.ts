import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { assertFreePorts } from './free-ports.js';

it('names the port that is taken and what it was for', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const check = () => assertFreePorts('127.0.0.1', new Map([['some-service', port]]));

  await expect(check()).rejects.toThrow(`Port ${port} for some-service is already taken`);
  server.close();
  await once(server, 'close');
  await expect(check()).resolves.toBeUndefined();
});
