import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  cloneDatabase,
  type ClonedDatabase,
  freePort,
  programArgs,
  ServiceProcess,
  startTestIssuer,
  TEST_AUDIENCE,
  type TestIssuer,
  until,
} from '@fibre/testing';
import { volume } from '@fibre/testing/volume';
import { ALL_SCOPES, newNode, NODES } from '../access-nodes/access-nodes.js';

/** Node.js alone cannot hand a socket to another process; systemd runs only on Linux. */
const withPython = process.platform === 'linux' && spawnSync('python3', ['--version']).status === 0 ? test : test.skip;

/** Does what systemd does: opens a socket, hands it over to each process of the service, one after the other, and passes on SIGTERM. */
const SYSTEMD = `
import ctypes, os, signal, socket, subprocess, sys
# A killed process takes the service with it: PR_SET_PDEATHSIG.
die_together = lambda: ctypes.CDLL(None).prctl(1, signal.SIGKILL)
listener = socket.create_server(('127.0.0.1', int(os.environ['PORT'])), backlog=4096)
os.dup2(listener.fileno(), 3)
signal.signal(signal.SIGTERM, lambda *_: service.terminate())
while True:
    service = subprocess.Popen(['sh', '-c', 'LISTEN_FDS=\${SOCKETS:-1} LISTEN_PID=$$ exec "$0" "$@"', *sys.argv[1:]], pass_fds=[3], preexec_fn=die_together)
    if service.wait() != 0: break
`;
/** As many as a restart leaves unanswered, and some more. */
const AT_ONCE = 8;

let issuer: TestIssuer;
let database: ClonedDatabase;
let service: ServiceProcess;

beforeAll(async () => {
  [issuer, database] = await Promise.all([startTestIssuer(), cloneDatabase()]);
});
afterEach(() => service.kill());
afterAll(() => Promise.all([issuer.close(), database.drop()]));

async function start(settings: NodeJS.ProcessEnv = {}): Promise<ServiceProcess> {
  const env = { PATH: process.env.PATH, DATABASE_URL: database.url, OAUTH_ISSUER: issuer.url, OAUTH_AUDIENCE: TEST_AUDIENCE, ...settings };
  const args = ['-c', SYSTEMD, process.execPath, ...programArgs('src/main.ts')];
  return new ServiceProcess('coverage-service', await freePort(), env, { command: 'python3', args });
}

const starts = (): number => service.log().filter(({ msg }) => String(msg).includes(' listens at ')).length;

/** Creates a node over a connection of its own. @returns the status, or what else happened */
async function create(authorization: string): Promise<unknown> {
  const headers = { authorization, 'content-type': 'application/json' };
  const sent = request(`${service.url}${NODES}`, { method: 'POST', headers, agent: false }).end(JSON.stringify(newNode()));
  return once(sent, 'response').then(
    ([response]: IncomingMessage[]) => response!.resume().statusCode,
    (error: Error) => error.message,
  );
}

withPython('no request fails while a service restarts behind a socket that it was handed', async () => {
  service = await (await start({ SHUTDOWN_DELAY_SECONDS: '3' })).ready();
  const authorization = `Bearer ${await issuer.token({ scope: ALL_SCOPES })}`;
  const statuses: unknown[] = [];
  let isOver = false;
  const clients = Array.from({ length: AT_ONCE }, async () => {
    for (; !isOver; await sleep(volume(20, 0))) statuses.push(await create(authorization));
  });
  for (const restarts of [1, 2]) {
    const before = statuses.length;
    service.signal('SIGTERM');
    await until('the next process', () => starts() > restarts);
    await until('its responses', () => statuses.length > before + 4 * AT_ONCE);
  }
  isOver = true;
  await Promise.all(clients);
  expect(new Set(statuses)).toEqual(new Set([201]));
});

withPython('a service does not guess which of several sockets is meant', async () => {
  service = await start({ SOCKETS: '2' });
  await service.gone;
  expect(service.lines.join('\n')).toContain('systemd hands over 2 sockets; the socket unit must have one ListenStream');
});
