import { setMaxListeners } from 'node:events';
import { parseArgs } from 'node:util';
import { prepareDatabase, startDatabaseServer } from '../bench/setup/database.js';
import { LISTED_TENANT, nodesDataset } from '../bench/setup/nodes.js';
import { say, table } from '../bench/setup/report.js';
import { build, startIssuer, startService } from '../bench/setup/service.js';
import { Attacker } from './attacker.js';
import { ATTACKS, SCOPES } from './attacks.js';
import { eventsWithLongEntities } from './long-entities.js';
import { type Receivers, startReceivers } from './receivers.js';
import type { Sight } from './victim.js';
import { COLLECTING, keptBy, reachableMegabytes, residentMegabytes, watchVictim } from './watch.js';

/**
 * `npm run attack`: one tenant attacks both services in many ways for 20 s each, and another tenant measures the effect. Exits with 1
 * if the effect is too large, or if something is not given back after an attack. `--only <text>` runs only the attacks whose names contain the text; `--seconds <number>` changes how long each attack lasts.
 */

/** The allowed effects. The second tenant's p99 may triple; a p99 of at most `floorMs` is always allowed. A pod has 512 MiB. */
const LIMITS = { timesP99: 3, floorMs: 100, probeMs: 1_000, refusedShare: 0.01, keptMegabytes: 16, residentMegabytes: 512 };
const SETTLE_SECONDS = 30;
const WARM_UP_SECONDS = 3;

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { seconds: { type: 'string', default: '20' }, only: { type: 'string', default: '' } } });
  const seconds = Number(values.seconds);
  for (const service of ['coverage-service', 'event-service'] as const) await build(service);
  const postgres = await startDatabaseServer();
  const receivers = await startReceivers();
  const rows: string[][] = [];
  try {
    for (const [name, attack] of Object.entries(ATTACKS).filter(([name]) => name.includes(values.only))) {
      const nodes = await prepareDatabase(postgres.url, nodesDataset(200_000));
      const events = await prepareDatabase(postgres.url, eventsWithLongEntities);
      rows.push(await runAttack(name, attack, { nodes, events }, receivers, seconds));
      say(rows.at(-1)!.join(' | '));
    }
  } finally {
    receivers.close();
    await postgres.stop();
  }
  const head = ['Attack', 'Responses to the attack', 'p50 / p99 without', 'with', 'Slowest probe'];
  head.push('Not served', 'Process', 'Reachable before / after', 'Largest process', '');
  say(`\n${table(head, rows)}`);
  if (rows.some((row) => row.at(-1) !== 'ok')) process.exitCode = 1;
}

async function runAttack(
  name: string,
  attack: (attacker: Attacker) => Promise<unknown>,
  databases: { nodes: string; events: string },
  receivers: Receivers,
  seconds: number,
): Promise<string[]> {
  const issuer = await startIssuer();
  // A signal makes the service's clock jump, so that its cached keys are no longer fresh.
  const clock = `const now = performance.now.bind(performance); process.on('SIGUSR2', () => (performance.now = () => now() + 11 * 60_000))`;
  const names = `import dns from 'node:dns'; dns.setServers(['${receivers.nameServer}'])`;
  const flags = [...COLLECTING, ...[clock, names].map((script) => `--import=data:text/javascript,${script}`)];
  // The feeds of webhooks begin with the oldest node.
  const env = { WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8', NODE_EXTRA_CA_CERTS: receivers.certificate, CHANGES_RETENTION_DAYS: '3650' };
  const coverage = await startService('coverage-service', databases.nodes, issuer.url, flags, env);
  const events = await startService('event-service', databases.events, issuer.url, flags, env);
  const services = [coverage, events];
  try {
    const token = await issuer.tokenFor(LISTED_TENANT, SCOPES);
    await watchVictim(services, issuer, WARM_UP_SECONDS);
    const without = await watchVictim(services, issuer, seconds / 2);
    const attackFor = async (duration: number): Promise<{ sight: Sight; attacker: Attacker }> => {
      const over = new AbortController();
      setMaxListeners(0, over.signal);
      const attacker = new Attacker({ coverage, events, issuer, receiver: receivers.endless }, token, over.signal);
      const attacking = attack(attacker);
      const sight = await watchVictim(services, issuer, duration);
      over.abort();
      await attacking;
      return { sight, attacker };
    };
    // What an attack needs for the first time, such as caches and connections, is no leak.
    await attackFor(seconds / 4);
    const before = await reachableMegabytes(services);
    let most = 0;
    const sampling = setInterval(() => (most = Math.max(most, residentMegabytes(services))), 200);
    const { sight: during, attacker } = await attackFor(seconds);
    clearInterval(sampling);
    const ended = services.filter(({ program }) => program.hasEnded).map(({ program }) => program.name);
    let [kept, after] = [await keptBy(services), await reachableMegabytes(services)];
    const isBack = (): boolean => after <= before + LIMITS.keptMegabytes;
    for (let waited = 0; waited < SETTLE_SECONDS && (kept.length > 0 || !isBack()); waited++)
      [kept, after] = [await keptBy(services), await reachableMegabytes(services)];
    const faults = [
      ...(ended.length > 0 ? [`${ended.join(' and ')} ended`] : []),
      ...(during.p99 > Math.max(LIMITS.timesP99 * without.p99, LIMITS.floorMs) ? ['p99'] : []),
      ...(during.slowestProbe > LIMITS.probeMs ? ['probe'] : []),
      ...(during.failures.length > LIMITS.refusedShare * during.requests ? ['not served'] : []),
      ...(isBack() ? [] : ['memory is kept']),
      ...(most > LIMITS.residentMegabytes ? ['memory'] : []),
      ...(kept.length === 0 ? [] : [`not given back: ${kept.join(' ')}`]),
    ];
    const times = ({ p50, p99 }: Sight): string => `${p50.toFixed(0)} / ${p99.toFixed(0)} ms`;
    return [
      ...[name, [...attacker.statuses].map(([status, count]) => `${count} x ${status}`).join(', ')],
      ...[times(without), times(during), `${during.slowestProbe.toFixed(0)} ms`],
      `${during.failures.length} of ${during.requests} ${[...new Set(during.failures)].slice(0, 4).join(', ')}`.trim(),
      ...[ended.length === 0 ? 'lives' : 'ended', `${before.toFixed(0)} / ${after.toFixed(0)} MB`, `${most.toFixed(0)} MB`],
      faults.length === 0 ? 'ok' : `**${faults.join(', ')}**`,
    ];
  } finally {
    await Promise.all(services.map(({ program }) => program.kill()));
    await issuer.close();
  }
}

// `process.exit` runs the exit handlers, which stop the database and the services.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(1));
await main();
