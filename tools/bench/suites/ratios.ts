import { join } from 'node:path';
import { coverageSuite } from './coverage-suite.js';
import { onStage, prepareDatabase, type Stage } from '../setup/database.js';
import { eventSuite } from './event-suite.js';
import { compare, type Comparison, type Rounds } from '../setup/load.js';
import { comparisonTable, GOAL_HEAD, goalRow, machine, say, table } from '../setup/report.js';
import { part } from '../setup/timing.js';
import { expectSameResponses, type Scenario, type Suite } from './scenario.js';
import { type Issuer, megabytesOf, POOL_SIZE, type Server, startServer, startService } from '../setup/service.js';

export interface Options extends Rounds {
  nodes: number;
  events: number;
  /** Only scenarios whose names contain this text run; if absent, all scenarios run. */
  only?: string;
}

const GOALS = { megabytes: 280, startSeconds: 0.9 };
const STARTS = 5;
const CLIENTS = 8;
/** A quick run fails if a ratio is below this share of its goal; a busy machine can halve a ratio. */
const LEAST_SHARE = 0.4;

const suitesOf = ({ nodes, events }: Pick<Options, 'nodes' | 'events'>): Suite[] => [coverageSuite(nodes), eventSuite(events)];

/** `npm run bench`: each service compared with a bare handler that runs the same statements. */
export async function benchRatios(options: Options): Promise<void> {
  const { rounds, seconds } = options;
  for (const suite of suitesOf(options)) {
    await onStage(suite.service, async (stage) => {
      const both = await startBoth(suite, stage);
      const results = await runScenarios(suite, Object.entries(suite.scenarios), both, stage.issuer, options);
      const megabytes = megabytesOf(both.servers[0], 'most');
      const start = await medianStart(suite, both.databaseUrl, stage.issuer);
      const row = (title: string, measured: number, goal: number, digits: number, unit: string): string[] =>
        goalRow(title, `${measured.toFixed(digits)} ${unit}`, `${goal} ${unit}`, measured / goal, 1);
      const rows = [
        row('Highest resident memory under load', megabytes, GOALS.megabytes, 0, 'MB'),
        row(`Start until ready, median of ${STARTS}`, start, GOALS.startSeconds, 2, 's'),
      ];
      const head = `Medians of ${rounds} alternating rounds of ${seconds} s, with minimum and maximum ratio in brackets. ${machine(stage.version)}`;
      say([`\n${suite.service}`, head, comparisonTable(results), table(GOAL_HEAD, rows)].join('\n\n'));
    });
  }
}

/** `npm run bench -- quick`: the same with small tables. Fails if a ratio is below 0.4 times its goal. */
export async function benchQuick(): Promise<void> {
  const small = { nodes: 20_000, events: 20_000, rounds: 3, seconds: 1 };
  for (const suite of suitesOf(small)) {
    await onStage(suite.service, async (stage) => {
      const both = await startBoth(suite, stage);
      let scenarios = Object.entries(suite.scenarios);
      // A ratio measured for one second may be low by chance, so low ratios are measured again for longer.
      for (const rounds of [small, { rounds: 5, seconds: 2 }]) {
        const results = await runScenarios(suite, scenarios, both, stage.issuer, rounds);
        scenarios = scenarios.filter((_, index) => !(results[index]!.ratio >= LEAST_SHARE * results[index]!.atLeast));
      }
      for (const [name, { atLeast }] of scenarios) {
        say(`${suite.service} ${name}: below ${LEAST_SHARE} times its goal of ${atLeast}`);
        process.exitCode = 1;
      }
    });
  }
}

/** The service and the bare handler on the same database. */
interface Both {
  databaseUrl: string;
  servers: [Server, Server];
}

async function startBoth({ service, dataset }: Suite, stage: Stage): Promise<Both> {
  const { issuer, postgres, keep } = stage;
  const databaseUrl = await prepareDatabase(postgres, dataset);
  const own = { NODE_OPTIONS: undefined, BARE_SERVICE: service, DATABASE_URL: databaseUrl, DATABASE_POOL_SIZE: POOL_SIZE };
  // Started without the `source` condition, so that it runs the built statements.
  const args = ['--import', '@swc-node/register/esm-register', join(import.meta.dirname, 'bare.ts')];
  const ours = keep(await startService(service, databaseUrl, issuer.url));
  const bare = keep(await startServer({ name: 'bare', args, env: { ...process.env, ...own }, readyPath: '/' }));
  return { databaseUrl, servers: [ours, bare] };
}

async function runScenarios(
  { service }: Suite,
  scenarios: [string, Scenario][],
  { databaseUrl, servers }: Both,
  issuer: Issuer,
  { only = '', ...rounds }: Rounds & { only?: string },
): Promise<Comparison[]> {
  const results: Comparison[] = [];
  for (const [name, scenario] of scenarios.filter(([name]) => name.includes(only))) {
    const { tenant, scope, status, requests: prepare } = scenario;
    const tokens = await Promise.all(Array.from({ length: CLIENTS }, () => issuer.tokenFor(tenant, scope)));
    const requests = await prepare(servers[0], tokens[0]!, databaseUrl);
    await expectSameResponses(servers, requests, tokens[0]!, scenario);
    const [ours, bare] = servers.map((server) => ({ server, tokens, requests, status }));
    const result = await compare(scenario, [ours!, bare!], rounds);
    say(`${service} ${name}: ${result.ratio.toFixed(2)} times the bare handler`);
    results.push(result);
  }
  return results;
}

/** Median number of seconds from the start of the process until it is ready. */
async function medianStart({ service }: Suite, databaseUrl: string, issuer: Issuer): Promise<number> {
  const times: number[] = [];
  for (let start = 0; start < STARTS; start++) {
    const began = performance.now();
    const { program } = await startService(service, databaseUrl, issuer.url);
    times.push((performance.now() - began) / 1_000);
    await program.stop();
  }
  return part(times, 0.5);
}
