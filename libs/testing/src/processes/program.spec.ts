import { freePort } from './free-port.js';
import { Program } from './program.js';

const SERVER = `require('node:http').createServer((_, r) => r.end()).listen(process.env.PORT, '127.0.0.1', () => console.log('up'));`;
const started: Program[] = [];

async function start(script: string, limits: { readyWithinMs?: number; stopWithinMs?: number } = {}) {
  const port = await freePort();
  const program = new Program({
    name: 'some-service',
    args: ['-e', script],
    env: { PATH: process.env.PATH, PORT: String(port) },
    readyUrl: `http://127.0.0.1:${port}/`,
    ...limits,
  });
  started.push(program);
  return program;
}

afterAll(() => Promise.all(started.map((program) => program.stop())));

it('becomes ready, passes on its lines and stops when told', async () => {
  const service = await start(`${SERVER} process.on('SIGTERM', () => { console.log('bye'); process.exit(0); });`);
  await service.ready();
  await service.stop();

  expect(service.lines).toEqual(['up', 'bye']);
  expect(await service.gone).toBe('ended with exit code 0');
});

it('reports how it ended and keeps its last lines', async () => {
  const service = await start(`for (let i = 0; i < 30; i++) console.error('line ' + i); process.exitCode = 3;`);

  await expect(service.ready()).rejects.toThrow('some-service ended with exit code 3');
  expect(service.lines.at(-1)).toBe('line 29');
});

it('fails if it does not become ready in time', async () => {
  const service = await start('setInterval(() => {}, 1000)', { readyWithinMs: 300 });

  await expect(service.ready()).rejects.toThrow('some-service was not ready after 0.3 s');
});

it('does not wait after Ctrl-C', async () => {
  const service = await start('setInterval(() => {}, 1000)');

  await expect(service.ready(AbortSignal.abort())).rejects.toThrow('aborted');
});

it('is killed if it does not stop in time', async () => {
  const service = await start(`${SERVER} process.on('SIGTERM', () => {});`, { stopWithinMs: 300 });
  await service.ready();
  await service.stop();

  expect(await service.gone).toBe('was ended by SIGKILL');
  expect(service.lines).toEqual(['up', 'did not stop within 0.3 s and was killed']);
});
