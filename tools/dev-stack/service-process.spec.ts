import { type AddressInfo, createServer } from 'node:net';
import { ServiceProcess } from './service-process.js';

const SERVER = `require('node:http').createServer((_, r) => r.end()).listen(process.env.PORT, '127.0.0.1', () => console.log('up'));`;
const never = new AbortController().signal;
const started: ServiceProcess[] = [];

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function start(script: string, limits: { readyWithinMs?: number; stopWithinMs?: number } = {}) {
  const port = await freePort();
  const lines: string[] = [];
  const process_ = new ServiceProcess(
    {
      name: 'some-service',
      args: ['-e', script],
      cwd: process.cwd(),
      env: { ...process.env, NODE_OPTIONS: '', PORT: String(port) },
      readyUrl: `http://127.0.0.1:${port}/`,
      ...limits,
    },
    (line) => lines.push(line),
  );
  started.push(process_);
  return { service: process_, lines };
}

afterAll(() => Promise.all(started.map((service) => service.stop())));

it('becomes ready, hands on its lines and stops when told', async () => {
  const { service, lines } = await start(`${SERVER} process.on('SIGTERM', () => { console.log('bye'); process.exit(0); });`);
  await service.ready(never);
  await service.stop();

  expect(lines).toEqual(['up', 'bye']);
  expect(await service.gone).toBe('ended with exit code 0');
});

it('says how it died and keeps its last words', async () => {
  const { service } = await start(`for (let i = 0; i < 30; i++) console.error('line ' + i); process.exitCode = 3;`);

  await expect(service.ready(never)).rejects.toThrow('some-service ended with exit code 3');
  expect(service.lastLines).toHaveLength(15);
  expect(service.lastLines.at(-1)).toBe('line 29');
});

it('is given up when it does not become ready in time', async () => {
  const { service } = await start('setInterval(() => {}, 1000)', { readyWithinMs: 300 });

  await expect(service.ready(never)).rejects.toThrow('some-service was not ready after 0.3 s');
});

it('is not waited for after Ctrl-C', async () => {
  const { service } = await start('setInterval(() => {}, 1000)');

  await expect(service.ready(AbortSignal.abort())).rejects.toThrow('aborted');
});

it('is killed when it does not stop in time', async () => {
  const { service, lines } = await start(`${SERVER} process.on('SIGTERM', () => {});`, { stopWithinMs: 300 });
  await service.ready(never);
  await service.stop();

  expect(await service.gone).toBe('was ended by SIGKILL');
  expect(lines).toEqual(['up', 'did not stop within 0.3 s and is killed']);
});
