import { randomUUID } from 'node:crypto';
import { Agent, type IncomingMessage, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { gzipSync } from 'node:zlib';
import { once, setMaxListeners } from 'node:events';
import type { Sight, VictimJob } from './victim.js';
import { prepareDatabase, startDatabaseServer } from '../bench/database.js';
import { EVENT_TENANT, eventsDataset } from '../bench/events.js';
import { EVENTS } from '../bench/event-suite.js';
import { LISTED_TENANT, nodesDataset, TENANTS } from '../bench/nodes.js';
import { say, table } from '../bench/report.js';
import { build, type Issuer, megabytesOf, type Server, startIssuer, startService } from '../bench/service.js';

/**
 * `npm run attack`: lets one tenant attack both services, in nine ways for 20 s each, and shows what another tenant notices. Ends with 1 when it
 * notices too much. `--only <text>` runs the attacks whose name has this, `--seconds` changes their length.
 */

const SCOPES = 'coverage:read coverage:write coverage:search events:read events:write';
const NODES = '/v2/cov/nodes';
const IMPORT = `${NODES}/import?target=prenodes&dry_run=true`;
/** What a second tenant may notice: its p99 may triple, but what is below the floor is noise. */
const LIMITS = { timesP99: 3, floorMs: 100, probeMs: 1_000, refusedShare: 0.01, memoryMegabytes: 64 };
const SETTLE_SECONDS = 30;
const WARM_UP_SECONDS = 3;

/** One tenant attacks the services with one good token. */
interface Stage {
  coverage: Server;
  events: Server;
  issuer: Issuer;
  token: string;
  signal: AbortSignal;
}
interface Sent {
  method?: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
  token?: string;
  /** Disconnects after this time, whether there was a response or not. */
  leaveAfterMs?: number;
}

const agent = new Agent({ keepAlive: true });

/** Sends a request, reads the response and forgets it. */
function hit({ signal, token }: Stage, url: string, sent: Sent = {}): Promise<void> {
  return new Promise((resolve) => {
    const headers = { authorization: `Bearer ${sent.token ?? token}`, ...sent.headers };
    const { method, leaveAfterMs } = sent;
    const one = request(url, { method, headers, signal, agent: leaveAfterMs === undefined ? agent : undefined });
    one
      .on('error', resolve)
      .on('close', resolve)
      .on('response', (response: IncomingMessage) => response.resume().on('error', resolve));
    if (leaveAfterMs !== undefined) setTimeout(() => one.destroy(), leaveAfterMs);
    one.end(sent.body);
  });
}

/** Does some work again and again on each of some lanes, until the attack is over. */
const again = ({ signal }: Stage, lanes: number, work: (turn: number) => Promise<unknown>): Promise<unknown> =>
  Promise.all(
    Array.from({ length: lanes }, async (_, lane) => {
      for (let turn = lane; !signal.aborted; turn++) await work(turn).then(() => sleep(1));
    }),
  );

/** Opens a request that says its body has so many bytes, and sends only a part; or never reads the response. */
function hold(
  { signal, token }: Stage,
  url: string,
  method: string,
  headers: Record<string, string>,
  start: string,
  drip?: string,
): Promise<void> {
  return new Promise((resolve) => {
    const one = request(url, { method, headers: { authorization: `Bearer ${token}`, ...headers }, signal });
    const timer = setInterval(() => drip !== undefined && one.write(drip), 1_000);
    const end = (): void => (clearInterval(timer), resolve());
    one.on('error', end).on('close', end);
    if (method === 'GET') one.on('response', (response) => response.on('error', end).pause()).end();
    else one.on('response', (response) => response.resume().on('error', end)).write(start);
  });
}

const file = (type: string): Record<string, string> => ({ 'content-type': type });
const zipped = (type: string): Record<string, string> => ({ ...file(type), 'content-encoding': 'gzip' });
const linesAfterQuote = gzipSync(`"center",relation_id,token\n${'\n'.repeat(4_000_000)}`);
const refusedRows = gzipSync('{}\n'.repeat(1_400_000));
const refusedColumns = gzipSync(`center,relation_id,token\n${'x,,\n'.repeat(1_000_000)}`);
const longFile = gzipSync('{}\n'.repeat(4_000_000));
const manyRelations = (): string =>
  `relation_id,token,center\n${Array.from({ length: 80_000 }, () => `${randomUUID()},planned,"48.2, 16.3"\n`).join('')}`;
const paddedEvent = (): string => ' '.repeat(17_000) + JSON.stringify({ entity_id: randomUUID(), event_type: 'activation' });

const ATTACKS: Readonly<Record<string, (stage: Stage) => Promise<unknown>>> = {
  'exports whose client disconnects after 0 to 60 ms': (stage) =>
    again(stage, 8, (turn) =>
      hit(stage, turn % 2 ? `${stage.coverage.url}${NODES}/export` : `${stage.events.url}${EVENTS}/export`, {
        leaveAfterMs: Math.random() * 60,
      }),
    ),
  'import of 4 MB of line feeds, gzipped': (stage) =>
    again(stage, 1, () => hit(stage, stage.coverage.url + IMPORT, { method: 'POST', headers: zipped('text/csv'), body: linesAfterQuote })),
  'imports of refused rows': (stage) =>
    again(stage, 2, (turn) => {
      const [type, body] = turn % 2 ? (['text/csv', refusedColumns] as const) : (['application/x-ndjson', refusedRows] as const);
      return hit(stage, stage.coverage.url + IMPORT, { method: 'POST', headers: zipped(type), body });
    }),
  'imports whose client goes away': (stage) =>
    again(stage, 2, () =>
      hit(stage, stage.coverage.url + IMPORT, {
        method: 'POST',
        headers: zipped('application/x-ndjson'),
        body: longFile,
        leaveAfterMs: 300,
      }),
    ),
  'slow uploads and unread exports': (stage) =>
    again(stage, 8, (turn) =>
      turn % 2
        ? hold(stage, `${stage.coverage.url}${NODES}/export?format=geojson`, 'GET', {}, '')
        : hold(stage, stage.coverage.url + IMPORT, 'POST', file('text/csv'), 'center,relation_id,token\n'.padEnd(20_000, '\n'), '\n'),
    ),
  'bodies over 16 kB, GET with Expect, slow bodies of 1 MiB': (stage) => {
    const json = { 'content-type': 'application/json' };
    return Promise.all([
      again(stage, 50, () => hit(stage, stage.events.url + EVENTS, { method: 'PUT', headers: json, body: paddedEvent() })),
      again(stage, 50, () => hit(stage, `${stage.coverage.url}${NODES}?_page_size=2000`, { headers: { expect: '100-continue' } })),
      again(stage, 150, () =>
        hold(stage, stage.coverage.url + NODES, 'POST', { ...json, 'content-length': String(1024 ** 2) }, ' '.repeat(1_000_000)),
      ),
    ]);
  },
  'dry run of an import of 80,000 relations': (stage) => {
    const body = manyRelations();
    return again(stage, 1, () => hit(stage, stage.coverage.url + IMPORT, { method: 'POST', headers: file('text/csv'), body }));
  },
  'an issuer that hangs, and tokens of unknown keys': (stage) => {
    stage.issuer.hang();
    for (const { program } of [stage.coverage, stage.events]) program.signal('SIGUSR2');
    return again(stage, 4, async (turn) => {
      const token = await stage.issuer.tokenFor(LISTED_TENANT, SCOPES, randomUUID());
      await hit(stage, turn % 2 ? `${stage.coverage.url}${NODES}` : stage.events.url + EVENTS, { token });
    });
  },
  'searches and tiles that match nothing, 40 at once': (stage) =>
    again(stage, 40, (turn) =>
      hit(
        stage,
        turn % 2
          ? `${stage.coverage.url}/v2/cov/search?center=47.5,13.5&search_radius=100000&limit=10&technology=nothing`
          : `${stage.coverage.url}/v2/cov/tiles/6/34/22.mvt?technology=nothing`,
      ),
    ),
};

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { seconds: { type: 'string', default: '20' }, only: { type: 'string', default: '' } } });
  const seconds = Number(values.seconds);
  for (const service of ['coverage-service', 'event-service'] as const) await build(service);
  const postgres = await startDatabaseServer();
  const rows: string[][] = [];
  try {
    for (const [name, attack] of Object.entries(ATTACKS).filter(([name]) => name.includes(values.only))) {
      const urls = [
        await prepareDatabase(postgres.url, nodesDataset(200_000)),
        await prepareDatabase(postgres.url, eventsDataset(200_000, 2_000)),
      ];
      rows.push(await runAttack(name, attack, urls as [string, string], seconds));
      say(rows.at(-1)!.join(' | '));
    }
  } finally {
    await postgres.stop();
  }
  const head = [
    'Attack',
    'p50 / p99 without',
    'p50 / p99 with',
    'Slowest probe',
    'Not served',
    'Process',
    'Memory before / most / after',
    '',
  ];
  say(`\n${table(head, rows)}`);
  if (rows.some((row) => row.at(-1) !== 'ok')) process.exitCode = 1;
}

async function runAttack(
  name: string,
  attack: (stage: Stage) => Promise<unknown>,
  databases: [string, string],
  seconds: number,
): Promise<string[]> {
  const issuer = await startIssuer();
  // At a signal its clock jumps: keys that it has are no longer fresh.
  const clock = `data:text/javascript,const now = performance.now.bind(performance); process.on('SIGUSR2', () => (performance.now = () => now() + 11 * 60_000))`;
  const flags = [`--import=${clock}`];
  const coverage = await startService('coverage-service', databases[0], issuer.url, { flags });
  const events = await startService('event-service', databases[1], issuer.url, { flags });
  const services = [coverage, events];
  try {
    const token = await issuer.tokenFor(LISTED_TENANT, SCOPES);
    await watchVictim(services, issuer, WARM_UP_SECONDS);
    const without = await watchVictim(services, issuer, seconds / 2);
    const before = megabytes(services);
    let most = before;
    const sampling = setInterval(() => (most = Math.max(most, megabytes(services))), 200);
    const over = new AbortController();
    setMaxListeners(0, over.signal);
    const attacking = attack({ coverage, events, issuer, token, signal: over.signal });
    const during = await watchVictim(services, issuer, seconds);
    over.abort();
    await attacking;
    clearInterval(sampling);
    const ended = services.filter(({ program }) => program.exitCode !== null).map(({ program }) => program.name);
    const isBack = (): boolean => megabytes(services) <= before + LIMITS.memoryMegabytes;
    for (let waited = 0; waited < SETTLE_SECONDS && !isBack(); waited++) await sleep(1_000);
    const faults = [
      ...(ended.length > 0 ? [`${ended.join(' and ')} ended`] : []),
      ...(during.p99 > Math.max(LIMITS.timesP99 * without.p99, LIMITS.floorMs) ? ['p99'] : []),
      ...(during.slowestProbe > LIMITS.probeMs ? ['probe'] : []),
      ...(during.failures.length > LIMITS.refusedShare * during.requests ? ['not served'] : []),
      ...(isBack() ? [] : ['memory']),
    ];
    const times = ({ p50, p99 }: Sight): string => `${p50.toFixed(0)} / ${p99.toFixed(0)} ms`;
    return [
      ...[name, times(without), times(during), `${during.slowestProbe.toFixed(0)} ms`],
      `${during.failures.length} of ${during.requests} ${[...new Set(during.failures)].slice(0, 4).join(', ')}`.trim(),
      ...[ended.length === 0 ? 'lives' : 'ended', `${before.toFixed(0)} / ${most.toFixed(0)} / ${megabytes(services).toFixed(0)} MB`],
      faults.length === 0 ? 'ok' : `**${faults.join(', ')}**`,
    ];
  } finally {
    await Promise.all(services.map(({ program }) => program.kill()));
    await issuer.close();
  }
}

const megabytes = (services: readonly Server[]): number => services.reduce((sum, server) => sum + megabytesOf(server), 0);

/** The second tenant works in a thread of its own, so that the attack does not slow its clock. */
async function watchVictim([coverage, events]: readonly Server[], issuer: Issuer, seconds: number): Promise<Sight> {
  const token = (tenant: string): Promise<string> => issuer.tokenFor(tenant, SCOPES);
  const tokens = await Promise.all(Array.from({ length: 60 * seconds }, () => token(TENANTS[1])));
  const job: VictimJob = { coverage: coverage!.url, events: events!.url, tokens, seconds };
  const worker = new Worker(fileURLToPath(new URL('./victim.ts', import.meta.url)), { workerData: job });
  const [sight] = (await once(worker, 'message')) as [Sight];
  return sight;
}

// The exit handlers stop the database and the services.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(1));
await main();
