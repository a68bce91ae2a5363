import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { say, table } from '../bench/setup/report.js';
import type { ServiceName } from '../bench/setup/service.js';
import { DATA_DIR } from '../workspace.js';
import { FAULTS } from './faults.js';
import { CopiedFeed, EVENTS, LINES, NODES } from './feed.js';
import { send, Stack } from './stack.js';
import { entitiesOf } from './entity-traffic.js';
import type { Kind } from './kind.js';
import { RELATIONS } from './relation-traffic.js';
import { type History, record, Tally } from './traffic.js';

/**
 * `npm run history`: sends concurrent requests to two replicas of both services while parts of the stack fail, and checks that every answer
 * is one that a single sequential program could have given. Exits with 1 otherwise. `--rounds <number>` repeats all faults on a new stack;
 * `--only <text>` runs the faults whose names contain the text.
 */

const SCOPES = 'events:read events:write coverage:read coverage:write';
/** Keys that are used at the same time. */
const AT_ONCE = 6;
/** Traffic runs for this long before each fault, so that it breaks something, and after it. */
const [BEFORE_MS, AFTER_MS] = [1_500, 3_000];
/** The pause after each key while requests from before the end still wait. */
const WAITING_MS = 500;

/** The tenants of two ISPs, between which lines move. */
const ISPS = ['isp.a', 'isp.b'];

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- the two kinds have nothing in common but their shape
type AnyKind = Kind<any, any>;

interface Outcome {
  readonly tally: Tally;
  readonly histories: History[];
  readonly pauseMs: number;
}

/**
 * The traffic of one service during one fault. It goes on while a request that was sent before the end still waits: what counts is how long
 * the service serves nobody, not how long one merge waits for a connection that is silent.
 */
async function observe(stack: Stack, service: ServiceName, kind: AnyKind, token: string, endsAt: () => number): Promise<Outcome> {
  const tally = new Tally();
  const histories: History[] = [];
  const begin = performance.now();
  /** When each lane began the requests that are under way. */
  const begun = Array.from({ length: AT_ONCE }, () => Infinity);
  const work = async (lane: number): Promise<void> => {
    while (performance.now() < endsAt() || Math.min(...begun) < endsAt()) {
      begun[lane] = performance.now();
      histories.push(await record(kind, stack.of(service), token, tally));
      begun[lane] = Infinity;
      if (performance.now() > endsAt()) await sleep(WAITING_MS);
    }
  };
  await Promise.all([...begun.keys()].map(work));
  const times = [begin, ...tally.acknowledged.sort((a, b) => a - b)];
  return { tally, histories, pauseMs: Math.max(...times.slice(1).map((time, index) => time - times[index]!)) };
}

const isLost = ({ created, remaining }: History): number => created.filter((id) => !remaining.includes(id)).length;
const isTwice = ({ remaining }: History): number => remaining.length - new Set(remaining).size;

/** Runs all faults on a new stack. @returns the outcomes by fault and service, and the records that a feed missed */
async function runRound(only: string): Promise<{ outcomes: Map<string, Outcome>; missed: string[] }> {
  const outcomes = new Map<string, Outcome>();
  const stack = await Stack.start();
  try {
    const token = await stack.issuer.token({ scope: SCOPES });
    const [coverage, events] = (['coverage-service', 'event-service'] as const).map((service) => stack.of(service)[0]!.url) as [
      string,
      string,
    ];
    const partners = await Promise.all(ISPS.map((isp) => register(events, token, isp)));
    const kinds = Object.entries({ 'event-service': entitiesOf(partners), 'coverage-service': RELATIONS }) as [ServiceName, AnyKind][];
    const feeds = [new CopiedFeed(NODES, coverage, token), new CopiedFeed(EVENTS, events, token)];
    for (const [index, tenant] of ISPS.entries()) {
      const own = await stack.issuer.token({ scope: 'charges:read', tenant });
      feeds.push(new CopiedFeed(LINES, events, own, ({ partner_id }) => partner_id === partners[index]));
    }
    if (!stack.disk) say('No fault fills a disk, because only root can mount one.');
    for (const [name, fail] of Object.entries(FAULTS).filter(([name]) => name.includes(only))) {
      if (name.includes('disk') && !stack.disk) continue;
      let endsAt = Infinity;
      const observed = kinds.map(async ([service, kind]) =>
        outcomes.set(`${name} | ${service}`, await observe(stack, service, kind, token, () => endsAt)),
      );
      await sleep(BEFORE_MS);
      await fail(stack);
      endsAt = performance.now() + AFTER_MS;
      await Promise.all(observed);
    }
    return { outcomes, missed: (await Promise.all(feeds.map((feed) => feed.differences()))).flat() };
  } finally {
    await stack.close();
  }
}

/** Registers an ISP that sees its lines. @returns its id */
async function register(url: string, token: string, isp_tenant: string): Promise<string> {
  const { status, body } = await send('POST', `${url}/api/v2/sys/isps/`, token, { name: isp_tenant, isp_tenant });
  if (status !== 201) throw new Error(`an ISP could not be registered: ${status} ${JSON.stringify(body)}`);
  return (body as { partner_id: string }).partner_id;
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { rounds: { type: 'string', default: '1' }, only: { type: 'string', default: '' } } });
  const rows = new Map<string, number[]>();
  const faults: unknown[] = [];
  for (let round = 0; round < Number(values.rounds); round++) {
    const { outcomes, missed } = await runRound(values.only);
    if (missed.length > 0) faults.push({ missed });
    for (const [name, { tally, histories, pauseMs }] of outcomes) {
      const wrong = histories.filter((history) => !history.isLinearizable());
      const [lost, twice] = [isLost, isTwice].map((count) =>
        name.includes('event') ? histories.reduce((sum, history) => sum + count(history), 0) : 0,
      );
      if (wrong.length + lost! + twice! > 0) faults.push({ name, wrong, lost, twice });
      const row = [tally.requests, tally.acknowledged.length, tally.unknown, lost!, twice!, wrong.length];
      const before = rows.get(name) ?? [...row.map(() => 0), 0];
      rows.set(name, [...row.map((count, index) => count + before[index]!), Math.max(pauseMs, before.at(-1)!)]);
    }
  }
  const head = ['Fault', 'Service', 'Requests', 'Acknowledged', 'Outcome unknown', 'Lost', 'Twice', 'Not linearizable', 'Longest pause'];
  const cells = [...rows].map(([name, row]) => [
    ...name.split(' | '),
    ...row.slice(0, -1).map(String),
    `${(row.at(-1)! / 1_000).toFixed(1)} s`,
  ]);
  say(table(head, cells));
  if (faults.length === 0) return;
  mkdirSync(DATA_DIR, { recursive: true });
  const file = join(DATA_DIR, 'history-faults.json');
  writeFileSync(file, JSON.stringify(faults, null, 2));
  say(`\nFound ${faults.length} faults: ${file}`);
  process.exitCode = 1;
}

await main();
