import { join } from 'node:path';
import { type Database, prepareDatabase, startDatabaseServer, versionOf } from './databases.js';
import { startIssuer } from './issuer.js';
import type { Options } from './options.js';
import { eventLoopDelayMs, peakMegabytes } from './process-stats.js';
import { Child } from './child.js';
import type { Load, LoadResult } from './load-process.js';
import { alternate, type ScenarioResult } from './rounds.js';
import type { Scenario } from './scenario.js';
import type { Running } from './running.js';
import { startServers } from './servers.js';
import { build, type ServiceOptions } from './service.js';
import { medianStart, STARTS } from './start-time.js';
import type { Suite } from './suite.js';

/** Of the most that a service answers. */
const STEADY_SHARE = 0.8;

type Say = (line: string) => void;

export interface SuiteResult {
  results: ScenarioResult[];
  /** Most resident memory of the service in MB. */
  peakMegabytes: number;
  /** How late the event loop is at four fifths of the most it answers, 99th percentile in ms; absent when only some scenarios were asked for. */
  eventLoopMs?: number;
  /** From the start of the process to its first answer, in ms. */
  startMs: number;
  /** Version of the database server. */
  postgres: string;
  /** Rows of the large table. */
  records: number;
}

export async function runSuite(suite: Suite, options: Options, say: Say): Promise<SuiteResult> {
  const { service, firstRequest, bareModule } = suite;
  say(`building ${service}`);
  await build(service);
  const issuer = await startIssuer();
  const postgres = await startDatabaseServer(service, options.sharedBuffers);
  const on = (databaseUrl: string): ServiceOptions => ({ service, databaseUrl, issuer: issuer.url, profile: options.profile });
  try {
    const databases: Database[] = [];
    for (const dataset of suite.datasets(options)) {
      say(`preparing ${dataset.name}`);
      databases.push(await prepareDatabase(postgres.url, dataset, on));
    }
    const { url, records } = databases.at(-1)!;
    say(`starting ${service} ${STARTS} times`);
    const startMs = await medianStart(on(url), firstRequest.path, await issuer.token(firstRequest.tenant, firstRequest.scope));
    const servers = await startServers(databases, bareModule, on);
    try {
      const measured = await measure(suite, { ...servers, token: issuer.token }, options, say);
      return { ...measured, startMs, records, postgres: await versionOf(postgres.url) };
    } finally {
      await servers.stop();
    }
  } finally {
    issuer.close();
    await postgres.stop();
  }
}

async function measure(
  suite: Suite,
  running: Running,
  { only = '', rounds, seconds }: Options,
  say: Say,
): Promise<Pick<SuiteResult, 'results' | 'peakMegabytes' | 'eventLoopMs'>> {
  const peak = (): Promise<number> => peakMegabytes(running.service.pid, running.service.url);
  const scenarios = new Map<string, Scenario>();
  for (const [name, prepare] of Object.entries(suite.scenarios)) if (name.includes(only)) scenarios.set(name, await prepare(running));
  const results: ScenarioResult[] = [];
  for (const scenario of scenarios.values()) {
    say(`${scenario.title}: ${rounds} rounds of ${seconds} s for each side`);
    const result = await alternate(scenario, rounds, seconds);
    say(`  ratio ${result.ratio.toFixed(2)}, resident at most ${Math.round(await peak())} MB so far`);
    results.push(result);
  }
  const steady = results.find(({ scenario }) => scenario === scenarios.get(suite.steady));
  return { results, peakMegabytes: await peak(), ...(steady && { eventLoopMs: await eventLoopUnder(steady, seconds) }) };
}

/** @returns ms */
async function eventLoopUnder({ scenario, first: { perSecond } }: ScenarioResult, seconds: number): Promise<number> {
  const load = new Child(join(import.meta.dirname, 'load-process.ts'));
  const { server, requests } = scenario.first;
  const { token, connections } = scenario;
  try {
    await eventLoopDelayMs(server.url);
    await load.ask<LoadResult>({ url: server.url, token, connections, requests, seconds, rate: STEADY_SHARE * perSecond } satisfies Load);
    return await eventLoopDelayMs(server.url);
  } finally {
    await load.stop();
  }
}
