import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withClient } from '@fibre/embedded-postgres';
import { coverageSuite } from './coverage-suite.js';
import { type DatabaseServer, prepareDatabase, startDatabaseServer } from './database.js';
import { eventSuite } from './event-suite.js';
import { compare, type Comparison, median, type Rounds } from './load.js';
import { comparisonTables, machine, say, table, verdict, writeSection } from './report.js';
import { expectSameResponses, type Scenario, type Suite } from './scenario.js';
import { build, type Issuer, POOL_SIZE, type Server, startIssuer, startServer, startService } from './service.js';

export interface Options extends Rounds {
  nodes: number;
  events: number;
  /** Part of the names of the scenarios to run; all when absent. */
  only?: string;
}

const GOALS = { megabytes: 280, startSeconds: 0.9 };
const STARTS = 5;
/** Ratios of small tables, which a later quick run is compared with. */
const RECORDED = join(import.meta.dirname, 'quick.json');
/** Share of a recorded ratio below which a quick run fails: a busy machine costs a ratio a fifth, a fault in the request path far more. */
const LEAST_SHARE = 0.5;

const suitesOf = ({ nodes, events }: Options): Suite[] => [coverageSuite(nodes), eventSuite(events)];

/** `npm run bench`: each service beside a bare handler of the same statements. */
export async function benchRatios(options: Options): Promise<void> {
  for (const suite of suitesOf(options)) {
    await withBoth(suite, options, async (servers, issuer, postgres, databaseUrl) => {
      const results = await runScenarios(suite, Object.entries(suite.scenarios), servers, issuer, options);
      const { program } = servers[0];
      const megabytes = Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${program.pid}/status`, 'utf8'))?.[1]) / 1_024;
      const seconds = await medianStart(suite, databaseUrl, issuer);
      const processRows = [
        [
          'Most resident memory over all the load',
          `${megabytes.toFixed(0)} MB`,
          `at most ${GOALS.megabytes} MB`,
          verdict(megabytes <= GOALS.megabytes),
        ],
        [
          `Start until ready, median of ${STARTS}`,
          `${seconds.toFixed(2)} s`,
          `at most ${GOALS.startSeconds} s`,
          verdict(seconds <= GOALS.startSeconds),
        ],
      ];
      const { rounds, seconds: length } = options;
      const text = [
        `Medians of ${rounds} alternating rounds of ${length} s, with the least and the greatest ratio in brackets. ${machine(await versionOf(postgres.url))}`,
        comparisonTables('Service', 'Bare handler', results),
        table(['Of the process', 'Measured', 'Goal', ''], processRows),
      ].join('\n\n');
      if (options.only === undefined) writeSection(suite.service, text);
      else say(text);
    });
  }
}

/** `npm run bench -- quick`: fails when a ratio has fallen below half of the recorded one. `--record` records them instead. */
export async function benchQuick(isRecording: boolean): Promise<void> {
  const options = { nodes: 20_000, events: 20_000, rounds: isRecording ? 5 : 3, seconds: isRecording ? 2 : 1 };
  const recorded = JSON.parse(readFileSync(RECORDED, 'utf8')) as Record<string, number>;
  const found: Record<string, number> = {};
  for (const suite of suitesOf(options)) {
    const isLow = (name: string): boolean =>
      !isRecording && !(found[`${suite.service} ${name}`]! >= LEAST_SHARE * recorded[`${suite.service} ${name}`]!);
    await withBoth(suite, options, async (servers, issuer) => {
      const run = async (some: [string, Scenario][], rounds: Rounds): Promise<void> => {
        const results = await runScenarios(suite, some, servers, issuer, { ...options, ...rounds });
        for (const [index, [name]] of some.entries()) found[`${suite.service} ${name}`] = Number(results[index]!.ratio.toFixed(2));
      };
      const quick = Object.entries(suite.scenarios).filter(([, { isQuick }]) => isQuick);
      await run(quick, options);
      // One second may meet anything: what is low is measured again for longer.
      await run(
        quick.filter(([name]) => isLow(name)),
        { rounds: 5, seconds: 3 },
      );
    });
  }
  if (isRecording) return writeFileSync(RECORDED, `${JSON.stringify(found, null, 2)}\n`);
  for (const [name, ratio] of Object.entries(found).filter(([name, ratio]) => !(ratio >= LEAST_SHARE * recorded[name]!))) {
    say(
      `${name}: ${ratio} of the bare handler, recorded was ${recorded[name]}. After a change that is meant: npm run bench -- quick --record`,
    );
    process.exitCode = 1;
  }
}

/** The service and the bare handler on one database. */
async function withBoth(
  { service, dataset }: Suite,
  options: Options,
  work: (servers: [Server, Server], issuer: Issuer, postgres: DatabaseServer, databaseUrl: string) => Promise<void>,
): Promise<void> {
  say(`${service}: building it, and preparing its database`);
  await build(service);
  const issuer = await startIssuer();
  const postgres = await startDatabaseServer();
  const started: Server[] = [];
  try {
    const databaseUrl = await prepareDatabase(postgres.url, dataset(options));
    started.push(await startService(service, databaseUrl, issuer.url));
    started.push(
      await startServer({
        name: 'bare',
        // Without the `source` condition, so that it runs the built statements.
        args: ['--import', '@swc-node/register/esm-register', join(import.meta.dirname, 'bare.ts')],
        env: { ...process.env, NODE_OPTIONS: undefined, BARE_SERVICE: service, DATABASE_URL: databaseUrl, DATABASE_POOL_SIZE: POOL_SIZE },
        readyPath: '/',
      }),
    );
    await work(started as [Server, Server], issuer, postgres, databaseUrl);
  } finally {
    await Promise.all(started.map(({ program }) => program.stop()));
    issuer.close();
    await postgres.stop();
  }
}

async function runScenarios(
  { service }: Suite,
  scenarios: [string, Scenario][],
  servers: [Server, Server],
  issuer: Issuer,
  { only = '', ...rounds }: Rounds & { only?: string },
): Promise<Comparison[]> {
  const results: Comparison[] = [];
  for (const [name, scenario] of scenarios.filter(([name]) => name.includes(only))) {
    const { tenant, scope, status, requests: prepare } = scenario;
    const token = await issuer.token(tenant, scope);
    const requests = await prepare(servers[0], token);
    await expectSameResponses(servers, requests, token, scenario);
    const [ours, bare] = servers.map((server) => ({ server, token, requests, status }));
    const result = await compare(scenario, [ours!, bare!], rounds);
    say(`${service} ${name}: ${result.ratio.toFixed(2)} of the bare handler`);
    results.push(result);
  }
  return results;
}

/** Seconds from the start of the process until it is ready. */
async function medianStart({ service }: Suite, databaseUrl: string, issuer: Issuer): Promise<number> {
  const times: number[] = [];
  for (let start = 0; start < STARTS; start++) {
    const began = performance.now();
    const { program } = await startService(service, databaseUrl, issuer.url);
    times.push((performance.now() - began) / 1_000);
    await program.stop();
  }
  return median(times);
}

export const versionOf = (url: string): Promise<string> =>
  withClient(url, async (client) => (await client.query<{ server_version: string }>('show server_version')).rows[0]!.server_version);
