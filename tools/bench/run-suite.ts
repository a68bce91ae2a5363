import { isDeepStrictEqual } from 'node:util';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '@fibre/database';
import pg from 'pg';
import { Child } from './child.js';
import { startIssuer } from './issuer.js';
import type { Options } from './options.js';
import { peakMegabytes } from './process-stats.js';
import { alternate, median, type ScenarioResult, type Side } from './rounds.js';
import type { Scenario, Suite } from './scenario.js';
import { BENCH_DIR, build, firstAnswer, migrate, POOL_SIZE, schemaOf, startService, type ServiceOptions } from './service.js';

const STARTS = 5;
/** Requests of a scenario whose two answers are compared. */
const COMPARED = 25;
/** The same for both sides: they use one server. */
const SERVER_SETTINGS = { shared_buffers: '512MB', max_wal_size: '4GB', random_page_cost: '1.1' };

export interface SuiteResult {
  scenarios: ScenarioResult[];
  /** Most resident memory of the service in MB. */
  peakMegabytes: number;
  /** From the start of the process to its first answer, in ms. */
  startMs: number;
  postgres: string;
}

export async function runSuite(suite: Suite, options: Options, say: (line: string) => void): Promise<SuiteResult> {
  say(`building ${suite.service}`);
  await build(suite.service);
  const root = join(BENCH_DIR, `${suite.service}-${options.nodes}-${schemaOf(suite.service)}`);
  const postgres = await startEmbeddedPostgres({ root, database: 'bench', settings: SERVER_SETTINGS });
  const issuer = await startIssuer();
  const service: ServiceOptions = { service: suite.service, databaseUrl: postgres.url, issuer: issuer.url, profile: options.profile };
  try {
    say(`preparing ${options.nodes} records`);
    await migrate(service);
    await suite.load(postgres.url, options.nodes);
    say(`starting ${suite.service} ${STARTS} times`);
    const { path, token } = await suite.firstRequest(issuer.token);
    const starts: number[] = [];
    while (starts.length < STARTS) starts.push(await timeStart(service, path, token));
    const measured = await underLoad(suite, service, options, say, async (url) => suite.scenarios({ url, token: issuer.token, nodes: options.nodes }));
    return { ...measured, startMs: median(starts), postgres: await versionOf(postgres.url) };
  } finally {
    issuer.close();
    await postgres.stop();
  }
}

async function timeStart(options: ServiceOptions, path: string, token: string): Promise<number> {
  const begin = performance.now();
  const service = await startService({ ...options, profile: false });
  await firstAnswer(service, path, token);
  const took = performance.now() - begin;
  await service.child.stop();
  return took;
}

async function underLoad(
  suite: Suite,
  options: ServiceOptions,
  { only = '', rounds, seconds }: Options,
  say: (line: string) => void,
  prepare: (url: string) => Promise<Scenario[]>,
): Promise<Pick<SuiteResult, 'scenarios' | 'peakMegabytes'>> {
  const service = await startService(options);
  const bare = new Child(join(import.meta.dirname, 'bare-server.ts'), {
    // Without the bench's `--conditions=source`, so that it runs the built statements.
    execArgv: ['--import', '@swc-node/register/esm-register'],
    env: { ...process.env, DATABASE_URL: options.databaseUrl, DATABASE_POOL_SIZE: POOL_SIZE, BENCH_BARE_MODULE: suite.bareModule },
  });
  try {
    const sides = { service: { url: service.url, pid: service.child.pid }, bare: { url: `http://127.0.0.1:${await bare.message<number>()}`, pid: bare.pid } };
    await firstAnswer(service, '/health/ready', '');
    const results: ScenarioResult[] = [];
    for (const scenario of (await prepare(service.url)).filter(({ name }) => name.includes(only))) {
      await bare.ask(scenario.name);
      await compare(scenario, sides);
      say(`${scenario.title}: ${rounds} rounds of ${seconds} s for each side`);
      const result = await alternate(scenario, sides, rounds, seconds);
      say(`  ratio ${result.ratio.toFixed(2)}, resident at most ${Math.round(await peakMegabytes(service.child.pid, service.url))} MB so far`);
      results.push(result);
    }
    return { scenarios: results, peakMegabytes: await peakMegabytes(service.child.pid, service.url) };
  } finally {
    await Promise.all([service.child.stop(), bare.stop()]);
  }
}

/** Speed means nothing where the two sides do not say the same. */
async function compare({ name, token, requests, comparable }: Scenario, { service, bare }: { service: Side; bare: Side }): Promise<void> {
  for (const { path, ...init } of requests.slice(0, COMPARED)) {
    const headers = { authorization: `Bearer ${token}` };
    const [ours, theirs] = await Promise.all([service, bare].map(async ({ url }) => (await fetch(url + path, { ...init, headers })).text()));
    if (!isDeepStrictEqual(comparable(ours!), comparable(theirs!))) throw new Error(`${name}: the two sides answer ${path} differently`);
  }
}

async function versionOf(url: string): Promise<string> {
  const client = new pg.Client(url);
  await client.connect();
  const { rows } = await client.query<{ server_version: string }>('show server_version');
  await client.end();
  return rows[0]!.server_version;
}
