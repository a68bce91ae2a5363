import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, FROM_SOURCES, Program, until } from '@fibre/testing';
import { HOST, WORKSPACE } from '../workspace.js';

let dataDir: string;
let stack: Program;
beforeAll(async () => (dataDir = await mkdtemp(join(tmpdir(), 'fibre-stack-'))));
// A running stack would keep Jest from ending after a failed test.
afterEach(() => stack.stop());
afterAll(() => rm(dataDir, { recursive: true }));

/** Runs what `npm start` runs, without npm, but on the build: building the portal again would replace files that other tests are using. */
async function startStack(ports: Record<string, string> = {}): Promise<void> {
  const [coverage, events, issuer] = [await freePort(), await freePort(), await freePort()];
  stack = new Program({
    name: 'stack',
    args: [...FROM_SOURCES, join(WORKSPACE, 'tools/dev-stack/main.ts')],
    cwd: WORKSPACE,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      DATA_DIR: dataDir,
      TEST_BUILT: '1',
      COVERAGE_PORT: String(coverage),
      EVENT_PORT: String(events),
      ISSUER_PORT: String(issuer),
      ...ports,
    },
    readyUrl: `http://${HOST}:${issuer}/.well-known/openid-configuration`,
  });
}

test('if both services crash, npm start says so and exits with 1', async () => {
  await startStack();
  await until('the welcome', () => stack.lines.some((line) => line.includes('Ctrl-C stops everything')));
  const children = readFileSync(`/proc/${stack.pid}/task/${stack.pid}/children`, 'utf8').trim().split(' ');
  for (const pid of children) process.kill(Number(pid), 'SIGKILL');
  expect(children).toHaveLength(2);

  expect(await stack.gone).toBe('ended with exit code 1');
  expect(stack.lines.at(-1)).toMatch(/^(coverage|event)-service was ended by SIGKILL\. /);
}, 300_000);

test('if a port is in use, the message says what it is for and how to choose another one', async () => {
  const server = createServer().listen(0, HOST);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await startStack({ EVENT_PORT: String(port) });

  expect(await stack.gone).toBe('ended with exit code 1');
  expect(stack.lines.join('\n')).toContain(`Port ${port} for event-service is already in use`);
  expect(stack.lines.join('\n')).toContain(`EVENT_PORT=${port + 1_000} npm start`);
  server.close();
});
