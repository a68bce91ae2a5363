import { randomUUID } from 'node:crypto';
import { Agent, type IncomingMessage, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { gzipSync } from 'node:zlib';
import { once, setMaxListeners } from 'node:events';
import type { Sight, VictimJob } from './victim.js';
import { prepareDatabase, startDatabaseServer } from '../bench/setup/database.js';
import { eventsDataset } from '../bench/setup/events.js';
import { EVENTS } from '../bench/suites/event-suite.js';
import { LISTED_TENANT, nodesDataset, TENANTS } from '../bench/setup/nodes.js';
import { say, table } from '../bench/setup/report.js';
import { build, type Issuer, megabytesOf, type Server, startIssuer, startService } from '../bench/setup/service.js';

/**
 * `npm run attack`: one tenant attacks both services in nine ways for 20 s each, and another tenant measures the effect. Exits with 1 if
 * the effect is too large. `--only <text>` runs only the attacks whose names contain the text; `--seconds <number>` changes how long each attack lasts.
 */

const SCOPES = 'coverage:read coverage:write coverage:search events:read events:write';
const NODES = '/v2/cov/nodes';
/** The allowed effects. The second tenant's p99 may triple; a p99 of at most `floorMs` is always allowed. */
const LIMITS = { timesP99: 3, floorMs: 100, probeMs: 1_000, refusedShare: 0.01, memoryMegabytes: 64 };
const SETTLE_SECONDS = 30;
const WARM_UP_SECONDS = 3;

interface Sent {
  method?: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
  token?: string;
  /** Disconnects after this time, whether or not a response has arrived. */
  leaveAfterMs?: number;
  /** Never ends the body, and sends this text once a second. */
  drip?: string;
  /** Does not read the response. */
  isDeaf?: boolean;
}

/** A tenant with a valid token that attacks until the signal aborts. */
class Attacker {
  /** Number of responses by status. */
  readonly statuses = new Map<number, number>();
  private readonly agent = new Agent({ keepAlive: true });

  constructor(
    readonly coverage: Server,
    readonly events: Server,
    readonly issuer: Issuer,
    private readonly token: string,
    private readonly signal: AbortSignal,
  ) {}

  /** Sends a request, and resolves when it has ended, successfully or not. */
  hit({ url }: Server, path: string, { method, headers, body, token = this.token, leaveAfterMs, drip, isDeaf }: Sent = {}): Promise<void> {
    return new Promise((resolve) => {
      const agent = leaveAfterMs === undefined && !isDeaf ? this.agent : undefined;
      const sending = request(url + path, {
        method,
        headers: { authorization: `Bearer ${token}`, ...headers },
        signal: this.signal,
        agent,
      });
      const dripping = drip === undefined ? undefined : setInterval(() => sending.write(drip), 1_000);
      const end = (): void => (clearInterval(dripping), resolve());
      sending.on('error', end).on('close', end);
      sending.on('response', (response: IncomingMessage) => {
        const { statusCode = 0 } = response.on('error', end);
        this.statuses.set(statusCode, (this.statuses.get(statusCode) ?? 0) + 1);
        if (!isDeaf) response.resume();
      });
      if (leaveAfterMs !== undefined) setTimeout(() => sending.destroy(), leaveAfterMs);
      if (drip === undefined) sending.end(body);
      else sending.write(body);
    });
  }

  import(sent: Sent): Promise<void> {
    return this.hit(this.coverage, `${NODES}/import?target=prenodes&dry_run=true`, { method: 'POST', ...sent });
  }

  /** Repeats work in several parallel loops. */
  async again(lanes: number, work: (turn: number) => Promise<unknown>): Promise<void> {
    const lane = async (turn: number): Promise<void> => {
      for (; !this.signal.aborted; turn++) await work(turn).then(() => sleep(1));
    };
    await Promise.all(Array.from({ length: lanes }, (_, index) => lane(index)));
  }
}

const json = { 'content-type': 'application/json' };
const csv = { 'content-type': 'text/csv' };
const zipped = { 'content-encoding': 'gzip' };
const LINE_FEEDS: Sent = { headers: { ...csv, ...zipped }, body: gzipSync(`"center",relation_id,token\n${'\n'.repeat(4_000_000)}`) };
const REFUSED_COLUMNS: Sent = { headers: { ...csv, ...zipped }, body: gzipSync(`center,relation_id,token\n${'x,,\n'.repeat(1_000_000)}`) };
const REFUSED_OBJECTS: Sent = { headers: { 'content-type': 'application/x-ndjson', ...zipped }, body: gzipSync('{}\n'.repeat(4_000_000)) };
const manyRelations = (): string =>
  `relation_id,token,center\n${Array.from({ length: 80_000 }, () => `${randomUUID()},planned,"48.2, 16.3"\n`).join('')}`;
const paddedEvent = (): string => ' '.repeat(17_000) + JSON.stringify({ entity_id: randomUUID(), event_type: 'activation' });

const ATTACKS: Readonly<Record<string, (attacker: Attacker) => Promise<unknown>>> = {
  'exports whose clients disconnect after 0 to 60 ms': (a) =>
    a.again(8, (turn) => {
      const leaveAfterMs = Math.random() * 60;
      return turn % 2 ? a.hit(a.coverage, `${NODES}/export`, { leaveAfterMs }) : a.hit(a.events, `${EVENTS}/export`, { leaveAfterMs });
    }),
  'import of 4 MB of line feeds, gzipped': (a) => a.again(1, () => a.import(LINE_FEEDS)),
  'imports of faulty rows': (a) => a.again(2, (turn) => a.import(turn % 2 ? REFUSED_COLUMNS : REFUSED_OBJECTS)),
  'imports whose clients disconnect': (a) => a.again(2, () => a.import({ ...REFUSED_OBJECTS, leaveAfterMs: 300 })),
  'slow uploads and unread exports': (a) =>
    a.again(8, (turn) =>
      turn % 2
        ? a.hit(a.coverage, `${NODES}/export?format=geojson`, { isDeaf: true })
        : a.import({ headers: csv, body: 'center,relation_id,token\n'.padEnd(20_000, '\n'), drip: '\n' }),
    ),
  'bodies over 16 kB, GET with Expect, slow bodies of 1 MiB': (a) => {
    const headers = { ...json, 'content-length': String(1024 ** 2) };
    return Promise.all([
      a.again(50, () => a.hit(a.events, EVENTS, { method: 'PUT', headers: json, body: paddedEvent() })),
      a.again(50, () => a.hit(a.coverage, `${NODES}?_page_size=2000`, { headers: { expect: '100-continue' } })),
      a.again(150, () => a.hit(a.coverage, NODES, { method: 'POST', headers, body: ' '.repeat(1_000_000), drip: ' ' })),
    ]);
  },
  'dry run of an import of 80,000 relations': (a) => {
    const body = manyRelations();
    return a.again(1, () => a.import({ headers: csv, body }));
  },
  'an issuer that hangs, and tokens with unknown keys': (a) => {
    a.issuer.hang();
    for (const { program } of [a.coverage, a.events]) program.signal('SIGUSR2');
    return a.again(4, async (turn) => {
      const token = await a.issuer.tokenFor(LISTED_TENANT, SCOPES, randomUUID());
      await (turn % 2 ? a.hit(a.coverage, NODES, { token }) : a.hit(a.events, EVENTS, { token }));
    });
  },
  'searches and tiles that match nothing, 40 at once': (a) => {
    const search = '/v2/cov/search?center=47.5,13.5&search_radius=100000&limit=10&technology=nothing';
    return a.again(40, (turn) => a.hit(a.coverage, turn % 2 ? search : '/v2/cov/tiles/6/34/22.mvt?technology=nothing'));
  },
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
    'Responses to the attack',
    'p50 / p99 without',
    'with',
    'Slowest probe',
    'Not served',
    'Process',
    'Memory before / peak / after',
    '',
  ];
  say(`\n${table(head, rows)}`);
  if (rows.some((row) => row.at(-1) !== 'ok')) process.exitCode = 1;
}

async function runAttack(
  name: string,
  attack: (attacker: Attacker) => Promise<unknown>,
  databases: [string, string],
  seconds: number,
): Promise<string[]> {
  const issuer = await startIssuer();
  // A signal makes the service's clock jump, so that its cached keys are no longer fresh.
  const clock = `data:text/javascript,const now = performance.now.bind(performance); process.on('SIGUSR2', () => (performance.now = () => now() + 11 * 60_000))`;
  const flags = [`--import=${clock}`];
  const coverage = await startService('coverage-service', databases[0], issuer.url, flags);
  const events = await startService('event-service', databases[1], issuer.url, flags);
  const services = [coverage, events];
  try {
    const token = await issuer.tokenFor(LISTED_TENANT, SCOPES);
    await watchVictim(services, issuer, WARM_UP_SECONDS);
    const without = await watchVictim(services, issuer, seconds / 2);
    const attackFor = async (duration: number): Promise<{ sight: Sight; attacker: Attacker }> => {
      const over = new AbortController();
      setMaxListeners(0, over.signal);
      const attacker = new Attacker(coverage, events, issuer, token, over.signal);
      const attacking = attack(attacker);
      const sight = await watchVictim(services, issuer, duration);
      over.abort();
      await attacking;
      return { sight, attacker };
    };
    // A process keeps much of the memory that it once needed, so only what a second attack adds counts as leaked.
    await attackFor(seconds / 4);
    const before = megabytes(services);
    let most = before;
    const sampling = setInterval(() => (most = Math.max(most, megabytes(services))), 200);
    const { sight: during, attacker } = await attackFor(seconds);
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
      ...[name, [...attacker.statuses].map(([status, count]) => `${count} x ${status}`).join(', ')],
      ...[times(without), times(during), `${during.slowestProbe.toFixed(0)} ms`],
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

/** The second tenant runs in its own thread, so that the attack does not slow its clock. */
async function watchVictim([coverage, events]: readonly Server[], issuer: Issuer, seconds: number): Promise<Sight> {
  const token = (tenant: string): Promise<string> => issuer.tokenFor(tenant, SCOPES);
  const tokens = await Promise.all(Array.from({ length: 60 * seconds }, () => token(TENANTS[1])));
  const job: VictimJob = { coverage: coverage!.url, events: events!.url, tokens, seconds };
  const worker = new Worker(fileURLToPath(new URL('./victim.ts', import.meta.url)), { workerData: job });
  const [sight] = (await once(worker, 'message')) as [Sight];
  return sight;
}

// `process.exit` runs the exit handlers, which stop the database and the services.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(1));
await main();
