import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { WORKSPACE } from '../../workspace.js';
import { Child } from '../child.js';
import { coverageSuite } from '../coverage-service/suite.js';
import { type Database, prepareDatabase, startDatabaseServer, versionOf } from '../databases.js';
import { writeSection } from '../document-section.js';
import { startIssuer, type Token } from '../issuer.js';
import type { Load, LoadResult } from '../load-process.js';
import { machine } from '../machine.js';
import { readOptions } from '../options.js';
import { table } from '../report.js';
import type { Scenario } from '../scenario.js';
import { startServers } from '../servers.js';
import { BENCH_DIR, build, PROFILES_DIR, type ServiceOptions } from '../service.js';
import { timeByPart } from './time-by-part.js';

const SCENARIOS = ['search', 'read-one', 'insert-one', 'list-page-2000'];
const WARM_UP_SECONDS = 2;
/** Parts of less than this, of each side, are shown together. */
const LEAST_SHARE = 0.02;

type Parts = ReadonlyMap<string, number>;
type On = (databaseUrl: string) => ServiceOptions;

/** `npm run bench -- profile --service-dir <built checkout>`: where coverage-service spends its time on a request, there and here, under the same load. */
export async function benchProfile(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { 'service-dir': { type: 'string', multiple: true, default: [] } } });
  const roots = [...values['service-dir'].map((directory) => resolve(directory)), WORKSPACE];
  const { nodes, seconds, sharedBuffers } = readOptions([]);
  const { service } = coverageSuite;
  mkdirSync(BENCH_DIR, { recursive: true });
  await build(service);
  const issuer = await startIssuer();
  const postgres = await startDatabaseServer(service, sharedBuffers);
  const onRoot =
    (root: string): On =>
    (databaseUrl) => ({ service, databaseUrl, issuer: issuer.url, root, profile: true });
  try {
    const [dataset] = coverageSuite.datasets({ ...readOptions([]), nodes });
    const database = await prepareDatabase(postgres.url, dataset!, onRoot(WORKSPACE));
    const sections: string[] = [];
    for (const name of SCENARIOS) {
      const sides: Parts[] = [];
      for (const root of roots) sides.push(await profile(name, database, onRoot(root), issuer.token, seconds));
      sections.push(`**${name}**`, render(roots.map(commitOf), sides));
      process.stdout.write(`${sections.slice(-2).join('\n\n')}\n\n`);
    }
    sections.push(table(['Machine', ''], machine(await versionOf(postgres.url), database.records)));
    if (roots.length > 1) writeSection(join(WORKSPACE, 'docs/benchmarks.md'), 'profile', sections.join('\n\n'));
  } finally {
    issuer.close();
    await postgres.stop();
  }
}

/** Microseconds of a request by part, from a process of its own. */
async function profile(name: string, database: Database, on: On, token: Token, seconds: number): Promise<Parts> {
  const before = new Set(profiles());
  const servers = await startServers([database], coverageSuite.bareModule, on);
  const window = await loadOnly(await coverageSuite.scenarios[name]!({ ...servers, token }), seconds).finally(servers.stop);
  // It is written as the process ends.
  const [file] = profiles().filter((one) => !before.has(one));
  const parts = timeByPart(join(PROFILES_DIR, file!), window.begin, window.end);
  return new Map([...parts].map(([part, time]) => [part, time / window.requests]));
}

/** Puts the service under load. @returns from when to when, in microseconds, and how many requests it answered meanwhile */
async function loadOnly({ first, token, connections }: Scenario, seconds: number): Promise<Record<'begin' | 'end' | 'requests', number>> {
  const load = new Child(join(import.meta.dirname, '../load-process.ts'));
  const asked: Load = { url: first.server.url, token, connections, seconds: WARM_UP_SECONDS, requests: first.requests };
  const microseconds = (): number => Number(process.hrtime.bigint() / 1_000n);
  try {
    await load.ask<LoadResult>(asked);
    const begin = microseconds();
    const { perSecond } = await load.ask<LoadResult>({ ...asked, seconds });
    return { begin, end: microseconds(), requests: perSecond * seconds };
  } finally {
    await load.stop();
  }
}

function profiles(): string[] {
  mkdirSync(PROFILES_DIR, { recursive: true });
  return readdirSync(PROFILES_DIR);
}

function render(heads: readonly string[], sides: readonly Parts[]): string {
  const sum = (parts: Parts): number => [...parts.values()].reduce((total, time) => total + time, 0);
  const totals = sides.map(sum);
  const isLarge = (part: string): boolean => sides.some((parts, side) => (parts.get(part) ?? 0) >= LEAST_SHARE * totals[side]!);
  const last = sides.at(-1)!;
  const names = [...new Set(sides.flatMap((parts) => [...parts.keys()]))].filter(isLarge);
  names.sort((one, other) => (last.get(other) ?? 0) - (last.get(one) ?? 0));
  const shown = (time: number): string => `${time.toFixed(0)} µs`;
  const rows = names.map((part) => [part, ...sides.map((parts) => shown(parts.get(part) ?? 0))]);
  const rest = sides.map((parts, side) => totals[side]! - names.reduce((total, part) => total + (parts.get(part) ?? 0), 0));
  return table(['Part', ...heads], [...rows, ['all others', ...rest.map(shown)], ['together', ...totals.map(shown)]]);
}

const commitOf = (root: string): string => {
  const git = (...args: string[]): string => execFileSync('git', ['-C', root, ...args], { encoding: 'utf8' }).trim();
  return `${git('rev-parse', '--short', 'HEAD')} of ${git('log', '-1', '--format=%cs')}`;
};
