import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createDatabaseStatement, withClient } from '@fibre/embedded-postgres';
import { databaseUrl } from '@fibre/testing/databases';
import type { ServiceProcess } from '@fibre/testing/processes';
import { megabytesOf, migrate, type ServiceName, startServer } from './service.js';
import { WORKSPACE } from '../../workspace.js';

const IDLE_MS = 5_000;
/** The kernel counts the processor time of a process in hundredths of a second. */
const TICKS = 100;

/** Starts a program and waits until it is ready. */
export type Start = (env?: NodeJS.ProcessEnv) => Promise<ServiceProcess>;

/** Starts the least that a service of NestJS costs (bare-nest.mjs). */
export const startBareNest =
  (url: string): Start =>
  (env) =>
    startServer(
      'bare-nest',
      { ...process.env, NODE_OPTIONS: undefined, MALLOC_ARENA_MAX: '1', DATABASE_URL: url, ...env },
      { args: [join(import.meta.dirname, '../suites/bare-nest.mjs')], cwd: WORKSPACE },
    );

/** Runs the works in turn, so that other load on the machine affects all. @returns the results of each */
export async function alternately<T>(runs: number, works: readonly (() => Promise<T>)[], discarded = 0): Promise<T[][]> {
  const results = works.map((): T[] => []);
  for (let run = -discarded; run < runs; run++)
    for (const [index, work] of works.entries()) {
      const result = await work();
      if (run >= 0) results[index]!.push(result);
    }
  return results;
}

/** @returns the URL of a new database with the schema of a checkout */
export async function migratedDatabase(postgres: string, name: string, service: ServiceName, checkout: string): Promise<string> {
  await withClient(postgres, async (client) => {
    await client.query(`drop database if exists ${name} with (force)`);
    await client.query(createDatabaseStatement(name));
  });
  const url = databaseUrl(postgres, name);
  await migrate(service, url, checkout);
  return url;
}

/** @returns the processor time of a start until the program is ready, in seconds */
export const secondsOfStart = (start: Start) => async (): Promise<number> => {
  const service = await start();
  const seconds = processorSecondsOf(service);
  await service.stop();
  return seconds;
};

/** @returns the same, and the resident memory in MB 5 s later */
export const costOfStart = (start: Start) => async (): Promise<{ seconds: number; megabytes: number }> => {
  const service = await start();
  const seconds = processorSecondsOf(service);
  await sleep(IDLE_MS);
  const megabytes = megabytesOf(service);
  await service.stop();
  return { seconds, megabytes };
};

function processorSecondsOf({ pid }: ServiceProcess): number {
  // The name of the program, the second field, may contain spaces.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS;
}

/** Starts a program with V8's coverage, which lists every file that was loaded. @returns the number of files by package */
export const filesOf = (start: Start) => async (): Promise<Map<string, number>> => {
  const folder = mkdtempSync(join(tmpdir(), 'start-'));
  try {
    const service = await start({ NODE_V8_COVERAGE: folder });
    await service.stop();
    const urls = readdirSync(folder).flatMap((name) => {
      const { result } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as { result: { url: string }[] };
      return result.map(({ url }) => url).filter((url) => url.startsWith('file:'));
    });
    const packages = new Map<string, number>();
    for (const url of new Set(urls)) {
      const name = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1] ?? 'our own';
      packages.set(name, (packages.get(name) ?? 0) + 1);
    }
    return packages;
  } finally {
    rmSync(folder, { recursive: true });
  }
};
