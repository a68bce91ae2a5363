import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { clientCredentials, type Entity, FibreClient } from '@fibre/client';
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
import { parse } from 'csv-parse/sync';
import proj4 from 'proj4';
import { demoClient } from '../dev-issuer/demo-accounts.js';
import { type DevIssuer, startDevIssuer } from '../dev-issuer/dev-issuer.js';
import { SERVICES } from '../dev-stack/stack.js';
import { HOST, WORKSPACE } from '../workspace.js';

let dataDir: string;
let issuer: DevIssuer;
let server: TestPostgres;
let processes: ServiceProcess[] = [];
const urls: Record<string, string> = {};
let first: Output;

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
  first = await tour();
});

afterAll(async () => {
  await Promise.all(processes.map((process) => process.stop()));
  for (const { name } of SERVICES) await dropDatabase(server.directUrl, databaseOf(name));
  await server.stop();
  await issuer.close();
  await rm(dataDir, { recursive: true });
});

const databaseOf = (service: string): string => `tour_${process.pid}_${service}`;

interface Output {
  stdout: string;
  stderr: string;
  code?: number;
}

/** Runs the tour. @returns its output, or its error */
async function tour(environment: Record<string, string | undefined> = {}): Promise<Output> {
  const { 'coverage-service': COVERAGE_URL, 'event-service': EVENTS_URL } = urls;
  const env = {
    ...process.env,
    NODE_OPTIONS: undefined,
    FORCE_COLOR: undefined,
    COVERAGE_URL,
    EVENTS_URL,
    ISSUER_URL: issuer.url,
    ...environment,
  };
  return promisify(execFile)(process.execPath, [...FROM_SOURCES, join(WORKSPACE, 'tools/tour/main.ts')], { cwd: WORKSPACE, env }).catch(
    (error: unknown) => error as Output,
  );
}

test('the tour completes, and a second run does not create its places and its ISP again', async () => {
  expect(first).toMatchObject({ stderr: '' });
  expect(first.stdout).toContain('{"action":[{"count":2266,"merge_action":"INSERT"}]}');
  expect(first.stdout).toContain('nowhere');
  expect(first.stdout.match(/^ +TOKEN=/gm)).toHaveLength(1);
  // Each response to a pasted command ends its line.
  expect(first.stdout.match(/^ +curl -sS (?!-w '\\n')/gm)).toBeNull();

  const again = await tour();
  expect(again).toMatchObject({ stderr: '' });
  expect(again.stdout).toContain('{"action":[{"count":2266,"merge_action":"UPDATE"}]}');
  expect(again.stdout).not.toContain('-X POST -H "Authorization: Bearer $TOKEN" -H \'content-type: application/json\' -d \'{"name"');
});

test('the tour explains that the services are not running', async () => {
  const alone = await tour({ EVENTS_URL: `http://${HOST}:${await freePort()}` });
  expect(alone).toMatchObject({ code: 1, stdout: '' });
  expect(alone.stderr).toContain('npm start');
});

/** The commands of the guide about reports, as a script, and what they print. */
async function readGuide(): Promise<{ script: string; output: string }> {
  const [reports] = (await readFile(join(WORKSPACE, 'docs/regulators.md'), 'utf8')).split('## Other systems');
  const lines = [...reports!.matchAll(/```console\n(.*?)```/gs)].flatMap(([, block]) => block!.split(/(?<=\n)/));
  const isCommand = (line: string) => line.startsWith('$ ');
  // The test has a `fibre` of its own.
  const isDefinition = (line: string) => line.startsWith('$ fibre() ');
  return {
    script: lines
      .filter((line) => isCommand(line) && !isDefinition(line))
      .map((line) => line.slice(2))
      .join(''),
    output: lines.filter((line) => !isCommand(line)).join(''),
  };
}

interface Place {
  customer_reference: string;
  token: string;
  center: string;
  address_id?: string;
  units?: number;
  units_connected?: number;
  download_mbps?: number;
  upload_mbps?: number;
  available_from?: string;
  technology?: string;
  status?: string;
}

/** The cell of 100 m, from an independent implementation of the projection. */
function cellOf({ center }: Place): string {
  const [latitude, longitude] = center.split(', ').map(Number) as [number, number];
  const [east, north] = proj4('+proj=laea +lat_0=52 +lon_0=10 +x_0=4321000 +y_0=3210000 +ellps=GRS80 +units=m', [longitude, latitude]);
  return `100mN${Math.floor(north / 100)}E${Math.floor(east / 100)}`;
}

const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** A shell function that runs the command in this repository, with its files in a folder. */
const inFolder = (command: string, folder: string): string => `fibre() {
  local argument arguments=()
  for argument; do
    case $argument in *.csv|*.gz) argument='${folder}'/$argument ;; esac
    arguments+=("$argument")
  done
  (cd '${WORKSPACE}' && ${command} "\${arguments[@]}")
}`;

const linesOf = (places: Place[]): Place[] => places.flatMap((place) => Array<Place>(place.units ?? 1).fill(place));

function grouped(places: Place[], keysOf: (place: Place) => (string | undefined)[]): [string, Place[]][] {
  const groups = new Map<string, Place[]>();
  for (const place of places) {
    const key = keysOf(place).join();
    groups.set(key, [...(groups.get(key) ?? []), place]);
  }
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1));
}

const speeds = (lines: Place[], name: 'download_mbps' | 'upload_mbps'): number[] =>
  lines.flatMap((line) => line[name] ?? []).sort((a, b) => a - b);

function statistics(sorted: number[]): (number | null)[] {
  if (sorted.length === 0) return [null, null, null, null];
  const mean = Math.round((sorted.reduce((sum, speed) => sum + speed, 0) / sorted.length) * 1000) / 1000;
  return [sorted[0]!, sorted.at(-1)!, mean, sorted[Math.ceil(sorted.length / 4) - 1]!];
}

/** Nodes of the kinds that the tour does not create; the first three are in one cell. */
const SPECIAL: Place[] = [
  {
    token: 'operation',
    center: '48.20851, 16.37291',
    technology: 'ftth',
    units: 3,
    units_connected: 2,
    download_mbps: 100,
    upload_mbps: 40,
  },
  {
    token: 'operation',
    center: '48.20852, 16.37292',
    technology: 'FTTH',
    address_id: '1999999991',
    download_mbps: 999.999,
    upload_mbps: 50.5,
  },
  { token: 'operation', center: '48.20853, 16.37293', technology: 'fwa', address_id: '1999999992', units: 0 },
  { token: 'operation', center: '48.3, 16.4', technology: 'fwa', address_id: '1999999993', download_mbps: 50, upload_mbps: 10 },
  { token: 'operation', center: '48.3, 16.5', technology: 'ftth', address_id: '1999999994', download_mbps: 50 },
  { token: 'operation', center: '48.3, 16.6', technology: 'dsl', address_id: '1999999995', download_mbps: 24.9, upload_mbps: 10 },
  { token: 'operation', center: '48.3, 16.7', technology: 'dsl', address_id: '1999999996', download_mbps: 25, upload_mbps: 3, units: 2 },
  { token: 'operation', center: '48.3, 16.8', technology: 'ftth', address_id: '1999999991', download_mbps: 300, upload_mbps: 100 },
  {
    token: 'operation',
    center: '48.3, 16.9',
    technology: 'ftth',
    address_id: '1999999997',
    available_from: '2027-01-01',
    upload_mbps: 1,
    units: 2,
    units_connected: 1,
  },
  {
    token: 'operation',
    center: '48.3, 17.0',
    technology: 'ftth',
    address_id: '1999999998',
    status: 'terminated',
    units: 5,
    units_connected: 5,
  },
  { token: 'planned', center: '48.3, 17.1' },
].map((place, index) => ({ customer_reference: `special-${index}`, ...place }));

/** `npm ci` leaves DuckDB out; CI installs it. */
const testWithDuckDb = existsSync(join(WORKSPACE, 'extra/node_modules')) ? test : test.skip;

testWithDuckDb('the guide for regulators makes the tables that it describes from the data of the tour', async () => {
  const { id: clientId, secret: clientSecret } = demoClient('ano-demo');
  const coverageUrl = urls['coverage-service']!;
  const token = clientCredentials({ issuer: issuer.url, clientId, clientSecret });
  const eventsUrl = urls['event-service']!;
  const { coverage, entities } = new FibreClient({ coverageUrl, eventsUrl, token });
  const { nodes, relations } = coverage;
  const { relation_id } = await relations.create({ name: 'Special nodes', pip: 'Stadtnetz' });
  await nodes.import(SPECIAL.map((place) => JSON.stringify({ relation_id, ...place })).join('\n'), {}, { format: 'ndjson' });
  const places: Place[] = [];
  for await (const place of nodes.list({ _page_size: 2000 })) places.push(place as Place);

  const folder = await mkdtemp(join(dataDir, 'report-'));
  for (const name of ['extra', 'docs']) await symlink(join(WORKSPACE, name), join(folder, name));
  const { script, output } = await readGuide();
  const fibre = [process.execPath, ...FROM_SOURCES, join(WORKSPACE, 'libs/client/src/cli/main.ts')].join(' ');
  const settings = {
    FIBRE_COVERAGE_URL: coverageUrl,
    FIBRE_EVENTS_URL: eventsUrl,
    FIBRE_ISSUER: issuer.url,
    FIBRE_CLIENT_ID: clientId,
    FIBRE_CLIENT_SECRET: clientSecret,
  };
  const { stdout } = await promisify(execFile)('bash', ['-euc', `${inFolder(fibre, folder)}\n${script}`], {
    cwd: folder,
    env: { ...process.env, NODE_OPTIONS: undefined, ...settings },
  });
  // The nodes of this test and the number of tours change what is counted, but nothing else.
  const withoutCounts = (text: string): string =>
    text.replaceAll(UUID, 'id').replaceAll(/^(\d+,){3}\d+$|(?<=^id,)\d+$|(?<=^(?:100,50|250,100),)\d+$/gm, 'n');
  expect(withoutCounts(stdout)).toBe(withoutCounts(output));

  const table = async (name: string) => parse<Record<string, string>>(await readFile(join(folder, name), 'utf8'), { columns: true });
  const values = async (name: string) =>
    (await table(name)).map((row) =>
      Object.values(row).map((value) => (value === '' ? null : Number.isNaN(Number(value)) ? value : Number(value))),
    );
  const sold = places.filter(({ status }) => status !== 'terminated');
  const isConnectable = ({ token, available_from = '' }: Place) => token === 'operation' && available_from <= '2026-12-31';
  const technologyOf = ({ technology = '' }: Place) => technology.toLowerCase();

  const passed = sold.filter(isConnectable);
  const sum = (numbers: number[]): number => numbers.reduce((all, number) => all + number, 0);
  const homesOf = (some: Place[]): number => sum(some.map(({ units = 1 }) => units));
  const connectedOf = ({ units_connected = 0 }: Place): number => units_connected;
  const at = new Date(Date.now() - 15 * 86_400_000).toISOString();
  const active: Entity[] = [];
  for await (const entity of entities.list({ state: 'active', at })) active.push(entity);
  const linesWith = (article: string): number => active.filter(({ article_codes = [] }) => article_codes.includes(article)).length;
  expect(active.length).toBeGreaterThan(0);
  expect(await values('homes.csv')).toEqual([
    [homesOf(passed), homesOf(passed.filter((place) => connectedOf(place) > 0)), sum(passed.map(connectedOf)), active.length],
  ]);
  expect(await values('zib-active.csv')).toEqual([
    [100, 50, linesWith('FIBRE-100')],
    [250, 100, linesWith('FIBRE-250')],
  ]);
  expect(await values('zib-isps.csv')).toEqual([[active[0]!.partner_id, active.length]]);

  const connectable = grouped(linesOf(sold.filter(isConnectable)), (line) => [cellOf(line), technologyOf(line)]);
  expect(await values('zib-lines.csv')).toEqual(
    connectable.map(([key, lines]) => [
      ...key.split(','),
      lines.length,
      ...statistics(speeds(lines, 'download_mbps')),
      ...statistics(speeds(lines, 'upload_mbps')),
    ]),
  );
  const planned = grouped(linesOf(sold.filter((place) => !isConnectable(place))), (line) => [
    cellOf(line),
    technologyOf(line),
    line.available_from,
  ]);
  expect(await values('zib-plans.csv')).toEqual(
    planned.map(([key, lines]) => [
      ...key.split(',').map((value) => value || null),
      lines.length,
      ...(['download_mbps', 'upload_mbps'] as const).map((name) => speeds(lines, name).at(-1) ?? null),
    ]),
  );

  const inOperation = places.filter(({ token, customer_reference }) => token === 'operation' && !customer_reference.startsWith('special'));
  expect(await values('bdc.csv')).toEqual([
    ...inOperation
      .map((place) => [null, 'Open Access Fibre', Number(place.address_id), 50, place.download_mbps, place.upload_mbps, 1, 'X'])
      .sort((a, b) => Number(a[2]) - Number(b[2])),
    [null, 'Open Access Fibre', 1999999991, 50, 999, 100, 1, 'X'],
    [null, 'Open Access Fibre', 1999999996, 10, 25, 3, 1, 'X'],
  ]);
  const leftOut = await table('bdc-left-out.csv');
  expect(leftOut.filter(({ reason }) => reason === 'it is not in operation')).toHaveLength(1511 + 1);
  expect(leftOut.filter(({ reason }) => reason !== 'it is not in operation').map((row) => [row.customer_reference, row.reason])).toEqual([
    ['special-0', 'address_id is not a location_id'],
    ['special-2', 'technology has no code in this file'],
    ['special-3', 'technology has no code in this file'],
    ['special-4', 'a speed is missing'],
    ['special-5', 'below 25/3 Mbit/s, for which the FCC prescribes values'],
    ['special-8', 'it cannot be ordered yet'],
    ['special-9', 'it is terminated'],
  ]);
});
