import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../bench/child.js';
import { type DevIssuer, startDevIssuer } from '../dev-issuer/dev-issuer.js';
import { ServiceProcess } from '../dev-stack/service-process.js';
import { presentServices, serviceProcess, serviceUrl } from '../dev-stack/services.js';
import { HOST, WORKSPACE } from '../workspace.js';

const FROM_SOURCE = ['--conditions=source', '--import', '@swc-node/register/esm-register', join(WORKSPACE, 'tools/tour/main.ts')];
const PATIENCE_MS = 300_000;

let dataDir: string;
let issuer: DevIssuer;
let processes: ServiceProcess[] = [];
const urls: Record<string, string> = {};

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'fibre-tour-'));
  issuer = await startDevIssuer({ host: HOST, port: 0, dataDir: join(dataDir, 'issuer') });
  const services = await Promise.all(presentServices().map(async (service) => ({ ...service, port: await freePort() })));
  for (const service of services) urls[service.name] = serviceUrl(service);
  processes = services.map((service) => {
    const options = serviceProcess(service, issuer.url);
    const env = { ...options.env, DATA_DIR: dataDir, NODE_OPTIONS: undefined, LOG_LEVEL: 'warn' };
    return new ServiceProcess({ ...options, env }, (line) => console.log(line));
  });
  await Promise.all(processes.map((process) => process.ready(new AbortController().signal)));
}, PATIENCE_MS);

afterAll(async () => {
  await Promise.all(processes.map((process) => process.stop()));
  await issuer.close();
  await rm(dataDir, { recursive: true });
}, PATIENCE_MS);

/** What the tour prints, or how it fails. */
async function tour(
  args: string[],
  environment: Record<string, string | undefined> = {},
): Promise<{ stdout: string; stderr: string; code?: number }> {
  const { 'coverage-service': COVERAGE_URL, 'event-service': EVENTS_URL } = urls;
  const env = { ...process.env, NODE_OPTIONS: undefined, COVERAGE_URL, EVENTS_URL, ISSUER_URL: issuer.url, ...environment };
  return promisify(execFile)(process.execPath, [...FROM_SOURCE, ...args], { cwd: WORKSPACE, env }).catch(
    (error: unknown) => error as { stdout: string; stderr: string; code: number },
  );
}

test(
  'the tour runs to its end, and again without creating its places twice',
  async () => {
    const first = await tour([]);
    expect(first).toMatchObject({ stderr: '' });
    expect(first.stdout).toContain('{"action":[{"count":2266,"merge_action":"INSERT"}]}');
    expect(first.stdout.match(/^ +TOKEN=/gm)).toHaveLength(1);

    const again = await tour(['coverage']);
    expect(again).toMatchObject({ stderr: '' });
    expect(again.stdout).toContain('all there from an earlier tour');
    expect(again.stdout).toContain('The 2266 places stay');
    expect(again.stdout).not.toContain('Event API');
  },
  PATIENCE_MS,
);

test(
  'one part, help, and what it says instead of a tour',
  async () => {
    expect((await tour(['events'])).stdout).not.toContain('Coverage API');
    expect((await tour(['--help'])).stdout).toContain('npm run tour -- coverage');
    expect(await tour(['covrage'])).toMatchObject({
      code: 1,
      stderr: 'The tour has no part "covrage"; its parts are coverage and events.\n',
    });
    const alone = await tour(['events'], { EVENTS_URL: `http://${HOST}:${await freePort()}` });
    expect(alone).toMatchObject({ code: 1, stdout: '' });
    expect(alone.stderr).toContain('npm start');
  },
  PATIENCE_MS,
);
