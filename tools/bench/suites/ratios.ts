import { join, resolve } from 'node:path';
import type { ServiceProcess } from '@fibre/testing/processes';
import { WORKSPACE } from '../../workspace.js';
import { coverageSuite } from './coverage-suite.js';
import { onStage, prepareDatabase, type Stage } from '../setup/database.js';
import { eventSuite } from './event-suite.js';
import { compare, type Comparison, type Rounds } from '../setup/load.js';
import { MACHINE, say, table, verdict } from '../setup/report.js';
import { expectSameResponses, type Scenario, type Suite } from './scenario.js';
import { newToken, POOL_SIZE, startServer } from '../setup/service.js';

export interface Options extends Rounds {
  nodes: number;
  events: number;
  /** Only scenarios whose names contain this text run. */
  only: string;
  /** Another checkout, with its packages installed, whose services take the place of the bare handler. */
  than: string;
}

const CLIENTS = 8;
/**
 * A quick run fails if a ratio is below this share of its goal. A busy machine can halve a ratio, and so does Node.js 20 that of reading one node:
 * this script prints 0.16 to 0.23 there, and about 0.4 with Node.js 26.
 */
const LEAST_SHARE = 0.3;
const QUICK: Options = { nodes: 20_000, events: 20_000, rounds: 3, seconds: 1, only: '', than: '' };
const AGAIN: Rounds = { rounds: 5, seconds: 2 };

type Measured = Comparison & { scenario: Scenario };

/** `npm run bench`: each service compared with a bare handler that runs the same statements, or with the service of another checkout. */
export async function benchRatios(options: Options): Promise<void> {
  const other = options.than ? resolve(options.than) : undefined;
  for (const suite of [coverageSuite(options.nodes), eventSuite(options.events)]) {
    const work = async (stage: Stage): Promise<void> => {
      const measure = await comparing(suite, stage, other);
      const results = await measure(
        suite.scenarios.filter(({ title }) => title.includes(options.only)),
        options,
      );
      const head = `Medians of ${options.rounds} alternating rounds of ${options.seconds} s, with minimum and maximum ratio in brackets. ${MACHINE}`;
      const rows = results.map(row).map((cells) => (other ? cells.slice(0, 4) : cells));
      say([`\n${suite.service}`, head, table(other ? HEAD_OF_OTHER : HEAD, rows)].join('\n\n'));
    };
    await onStage([suite.service], work, other);
  }
}

/** `npm run bench -- quick`: the same with small tables. Fails if a ratio is below 0.3 times its goal. */
export async function benchQuick(): Promise<void> {
  for (const suite of [coverageSuite(QUICK.nodes), eventSuite(QUICK.events)]) {
    await onStage([suite.service], async (stage) => {
      const measure = await comparing(suite, stage);
      let low = suite.scenarios;
      // A ratio measured for one second may be low by chance, so low ratios are measured again for longer.
      for (const rounds of [QUICK, AGAIN]) {
        const results = await measure(low, rounds);
        low = results.filter(({ ratio, scenario }) => !(ratio >= LEAST_SHARE * scenario.atLeast)).map(({ scenario }) => scenario);
      }
      for (const { title, atLeast } of low) {
        say(`${suite.service}, ${title}: below ${LEAST_SHARE} times its goal of ${atLeast}`);
        process.exitCode = 1;
      }
    });
  }
}

/**
 * Starts the service and what it is compared with: the bare handler on the same database, or the service of another checkout on its own.
 * @returns a function that compares them
 */
async function comparing(
  { service, dataset }: Suite,
  { issuer, postgres, keep, start }: Stage,
  other?: string,
): Promise<(scenarios: readonly Scenario[], rounds: Rounds) => Promise<Measured[]>> {
  const databaseUrl = await prepareDatabase(postgres, dataset);
  const own = { NODE_OPTIONS: undefined, BARE_SERVICE: service, DATABASE_URL: databaseUrl, DATABASE_POOL_SIZE: POOL_SIZE };
  // Started without the `source` condition, so that it runs the built statements.
  const args = ['--import', './tools/typescript.mjs', join(import.meta.dirname, 'bare.ts')];
  const ours = await start(service, databaseUrl);
  const rival = other
    ? await start(service, await prepareDatabase(postgres, dataset, other), [], {}, other)
    : keep(await startServer('bare', { ...process.env, ...own }, { args, cwd: WORKSPACE }));
  const servers: [ServiceProcess, ServiceProcess] = [ours, rival];
  return async (scenarios, rounds) => {
    const results: Measured[] = [];
    for (const scenario of scenarios) {
      const { title, tenant, scope, status, connections } = scenario;
      const tokens = await Promise.all(Array.from({ length: CLIENTS }, () => newToken(issuer, tenant, scope)));
      const requests = await scenario.requests(ours, tokens[0]!, databaseUrl);
      // Another checkout may send other members.
      if (!other) await expectSameResponses(servers, requests, tokens[0]!, scenario);
      const result = await compare(servers, { tokens, requests, status, connections }, rounds);
      say(`${service}, ${title}: ${result.ratio.toFixed(2)} times ${other ?? 'the bare handler'}`);
      results.push({ ...result, scenario });
    }
    return results;
  };
}

const HEAD_OF_OTHER = ['Scenario', 'This checkout', 'The other one', 'Ratio'];
const HEAD = ['Scenario', 'Service', 'Bare handler', 'Ratio', 'Goal', ''];

function row({ speeds, ratio, range, scenario: { title, atLeast } }: Measured): string[] {
  const brackets = range.map((value) => value.toFixed(2)).join(' to ');
  return [
    title,
    ...speeds.map((speed) => `${speed.toPrecision(4)}/s`),
    `${ratio.toFixed(2)} (${brackets})`,
    `at least ${atLeast}`,
    verdict(ratio >= atLeast),
  ];
}
