import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { onStage, prepareDatabase, type Stage } from '../bench/setup/database.js';
import { LISTED_TENANT, nodesDataset } from '../bench/setup/nodes.js';
import { say, table } from '../bench/setup/report.js';
import { newToken, SERVICES } from '../bench/setup/service.js';
import { Attacker } from './attacker.js';
import { ATTACKS, SCOPES } from './attacks.js';
import { eventsWithLongEntities } from './long-entities.js';
import { type Receivers, startReceivers } from './receivers.js';
import type { Sight } from './victim.js';
import { keptBy, residentMegabytes, watchVictim } from './watch.js';

/**
 * `npm run attack`: one tenant attacks both services in many ways for 20 s each, and another tenant measures the effect. Exits with 1
 * if the effect is too large, or if something is not given back after an attack. `--only <text>` runs only the attacks whose names
 * contain the text; `--seconds <number>` changes how long each attack lasts.
 */

/** The allowed effects. The second tenant's p99 may triple; a p99 of at most `floorMs` is always allowed. A pod has 512 MiB. */
const LIMITS = { timesP99: 3, floorMs: 100, probeMs: 1_000, refusedShare: 0.01, residentMegabytes: 512 };
const SETTLE_SECONDS = 30;
const WARM_UP_SECONDS = 3;

async function runAttack(
  name: string,
  attack: (attacker: Attacker) => Promise<unknown>,
  { issuer, postgres, start }: Stage,
  receivers: Receivers,
  seconds: number,
): Promise<string[]> {
  const names = `import dns from 'node:dns'; dns.setServers(['${receivers.nameServer}'])`;
  const flags = [`--import=data:text/javascript,${names}`];
  // The feeds of webhooks begin with the oldest node.
  const env = { ...receivers.settings, CHANGES_RETENTION_DAYS: '3650' };
  const coverage = await start('coverage-service', await prepareDatabase(postgres, nodesDataset(200_000)), flags, env);
  const events = await start('event-service', await prepareDatabase(postgres, eventsWithLongEntities), flags, env);
  const services = [coverage, events];
  await watchVictim(services, issuer, WARM_UP_SECONDS);
  const without = await watchVictim(services, issuer, seconds / 2);
  const over = new AbortController();
  setMaxListeners(0, over.signal);
  const token = await newToken(issuer, LISTED_TENANT, SCOPES);
  const attacker = new Attacker({ coverage, events, issuer, receiver: receivers.endless }, token, over.signal);
  let most = 0;
  const sampling = setInterval(() => (most = Math.max(most, residentMegabytes(services))), 200);
  const attacking = attack(attacker);
  const during = await watchVictim(services, issuer, seconds);
  over.abort();
  await attacking;
  clearInterval(sampling);
  const ended = services.filter(({ hasEnded }) => hasEnded).map((service) => service.name);
  let kept = await keptBy(services);
  for (let waited = 0; waited < SETTLE_SECONDS && kept.length > 0; waited++) {
    await sleep(1_000);
    kept = await keptBy(services);
  }
  await Promise.all(services.map((service) => service.kill()));
  const faults = [
    ...(ended.length > 0 ? [`${ended.join(' and ')} ended`] : []),
    ...(during.p99 > Math.max(LIMITS.timesP99 * without.p99, LIMITS.floorMs) ? ['p99'] : []),
    ...(during.slowestProbe > LIMITS.probeMs ? ['probe'] : []),
    ...(during.failures.length > LIMITS.refusedShare * during.requests ? ['not served'] : []),
    ...(most > LIMITS.residentMegabytes ? ['memory'] : []),
    ...(kept.length === 0 ? [] : [`not given back: ${kept.join(' ')}`]),
  ];
  const times = ({ p50, p99 }: Sight): string => `${p50.toFixed(0)} / ${p99.toFixed(0)} ms`;
  return [
    name,
    [...attacker.statuses].map(([status, count]) => `${count} x ${status}`).join(', '),
    times(without),
    times(during),
    `${during.slowestProbe.toFixed(0)} ms`,
    `${during.failures.length} of ${during.requests} ${[...new Set(during.failures)].slice(0, 4).join(', ')}`.trim(),
    `${most.toFixed(0)} MB`,
    faults.length === 0 ? 'ok' : `**${faults.join(', ')}**`,
  ];
}

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '20' }, only: { type: 'string', default: '' } } });
const receivers = await startReceivers();
await onStage(SERVICES, async (stage) => {
  const rows: string[][] = [];
  for (const [name, attack] of Object.entries(ATTACKS).filter(([name]) => name.includes(values.only))) {
    rows.push(await runAttack(name, attack, stage, receivers, Number(values.seconds)));
    say(rows.at(-1)!.join(' | '));
  }
  const head = ['Attack', 'Responses to the attack', 'p50 / p99 without', 'with', 'Slowest probe', 'Not served', 'Largest process', ''];
  say(`\n${table(head, rows)}`);
  if (rows.some((row) => row.at(-1) !== 'ok')) process.exitCode = 1;
});
receivers.close();
