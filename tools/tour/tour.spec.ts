import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
  createDatabase,
  databaseUrl,
  dropDatabase,
  freePort,
  FROM_SOURCES,
  type ServiceProcess,
  startServiceProcess,
  startTestPostgres,
  type TestPostgres,
} from '@fibre/testing';
import { type DevIssuer, startDevIssuer } from '../dev-issuer/dev-issuer.js';
import { SERVICES } from '../dev-stack/stack.js';
import { HOST, WORKSPACE } from '../workspace.js';

let dataDir: string;
let issuer: DevIssuer;
let server: TestPostgres;
let processes: ServiceProcess[] = [];
const urls: Record<string, string> = {};

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'fibre-tour-'));
  issuer = await startDevIssuer({ host: HOST, port: 0, dataDir: join(dataDir, 'issuer') });
  server = await startTestPostgres();
  const settings = { OAUTH_ISSUER: issuer.url, LOG_LEVEL: 'warn' };
  processes = await Promise.all(
    SERVICES.map(async ({ name }) => {
      await createDatabase(server.directUrl, databaseOf(name));
      return startServiceProcess(name, { ...settings, DATABASE_URL: databaseUrl(server.url, databaseOf(name)) });
    }),
  );
  for (const { name, url } of processes) urls[name] = url;
});

afterAll(async () => {
  await Promise.all(processes.map((process) => process.stop()));
  for (const { name } of SERVICES) await dropDatabase(server.directUrl, databaseOf(name));
  await server.stop();
  await issuer.close();
  await rm(dataDir, { recursive: true });
});

const databaseOf = (service: string): string => `tour_${process.pid}_${service}`;

/** Runs the tour. @returns its output, or its error */
async function tour(
  args: string[],
  environment: Record<string, string | undefined> = {},
): Promise<{ stdout: string; stderr: string; code?: number }> {
  const { 'coverage-service': COVERAGE_URL, 'event-service': EVENTS_URL } = urls;
  const env = { ...process.env, NODE_OPTIONS: undefined, COVERAGE_URL, EVENTS_URL, ISSUER_URL: issuer.url, ...environment };
  return promisify(execFile)(process.execPath, [...FROM_SOURCES, join(WORKSPACE, 'tools/tour/main.ts'), ...args], {
    cwd: WORKSPACE,
    env,
  }).catch((error: unknown) => error as { stdout: string; stderr: string; code: number });
}

test('the tour completes, and a second run does not create its places again', async () => {
  const first = await tour([]);
  expect(first).toMatchObject({ stderr: '' });
  expect(first.stdout).toContain('{"action":[{"count":2266,"merge_action":"INSERT"}]}');
  expect(first.stdout).toContain('nowhere');
  expect(first.stdout.match(/^ +TOKEN=/gm)).toHaveLength(1);

  const again = await tour(['coverage']);
  expect(again).toMatchObject({ stderr: '' });
  expect(again.stdout).toContain('all of them already exist from an earlier tour');
  expect(again.stdout).toContain('The 2266 places are kept');
  expect(again.stdout).not.toContain('Event API');
});

test('runs one part, shows help, and explains errors', async () => {
  expect((await tour(['events'])).stdout).not.toContain('Coverage API');
  expect((await tour(['--help'])).stdout).toContain('npm run tour -- coverage');
  expect(await tour(['covrage'])).toMatchObject({
    code: 1,
    stderr: 'The tour has no part "covrage"; its parts are coverage, events, billing.\n',
  });
  const alone = await tour(['events'], { EVENTS_URL: `http://${HOST}:${await freePort()}` });
  expect(alone).toMatchObject({ code: 1, stdout: '' });
  expect(alone.stderr).toContain('npm start');
});
