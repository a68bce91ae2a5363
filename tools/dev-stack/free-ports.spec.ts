import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { assertFreePorts } from './free-ports.js';

it('names the port that is taken, what it was for, and how to choose another one', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const check = () => assertFreePorts([{ name: 'some-service', port, variable: 'SOME_PORT' }]);

  await expect(check()).rejects.toThrow(`Port ${port} for some-service is already taken`);
  await expect(check()).rejects.toThrow(`SOME_PORT=${port + 1_000} npm start`);
  server.close();
  await once(server, 'close');
  await expect(check()).resolves.toBeUndefined();
});
