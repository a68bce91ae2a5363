import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createDatabaseStatement, withClient } from '@fibre/embedded-postgres';
import { databaseUrl } from '@fibre/testing/databases';
import { freePort, Program, type ServiceProcess } from '@fibre/testing/processes';
import { onStage } from './setup/database.js';
import { part } from './setup/load.js';
import { MACHINE, say, table } from './setup/report.js';
import { BENCH_DIR, build, megabytesOf, migrate, SERVICES, type ServiceName, startService } from './setup/service.js';
import { WORKSPACE } from '../workspace.js';

const IDLE_MS = 5_000;
/** The kernel counts the processor time of a process in hundredths of a second. */
const TICKS = 100;
const MOST_FILES = 12;

export interface StartOptions {
  /** Another checkout, with its packages installed. */
  than: string;
  runs: number;
}

/** `npm run bench -- start`: what a start costs, compared with another checkout. Only on Linux. */
export async function benchStart({ than, runs }: StartOptions): Promise<void> {
  const checkouts = than ? [WORKSPACE, resolve(than)] : [WORKSPACE];
  const rows: string[][] = [];
  const files: string[][] = [];
  await onStage(SERVICES, async ({ issuer, postgres }) => {
    for (const checkout of checkouts.slice(1)) await build(SERVICES, checkout);
    for (const service of SERVICES) {
      const starts = await Promise.all(
        checkouts.map(async (checkout, index) => {
          const url = await migratedDatabase(postgres, service, checkout, index);
          const image = { NODE_COMPILE_CACHE: hasCompileCache(checkout) ? join(BENCH_DIR, `compile-cache-${index}`) : undefined };
          return (env?: NodeJS.ProcessEnv) => startService(service, url, issuer.url, [], { ...image, ...env }, checkout);
        }),
      );
      const costs = await alternately(runs, starts.map(costOfStart), 1);
      const loaded = await alternately(1, starts.map(filesOf));
      const add = (what: string, unit: string, sides: number[][]): unknown => rows.push(row(`${service}: ${what}`, unit, sides));
      add(
        'processor time until ready',
        's',
        costs.map((side) => side.map(({ seconds }) => seconds)),
      );
      add(
        'files loaded',
        '',
        loaded.map((side) => side.map(total)),
      );
      add(
        'resident memory when idle',
        'MB',
        costs.map((side) => side.map(({ megabytes }) => megabytes)),
      );
      files.push([service, mostFiles(loaded[0]![0]!)]);
    }
  });
  const head = ['', ...['this checkout', 'the other one', 'ratio'].slice(0, than ? 3 : 1)];
  say(`\n${MACHINE} Medians of ${runs}.\n\n${table(head, rows)}`);
  say(`\n${table(['', 'Files of this checkout by package'], files)}`);
  const stacks = await alternately(runs, checkouts.map(secondsOfStack), 1);
  say(`\n${table(head, [row('npm start until its addresses', 's', stacks)])}`);
}

/** Whether the images of a checkout contain what V8 has compiled. Here, the discarded first start writes it. */
const hasCompileCache = (checkout: string): boolean =>
  readFileSync(join(checkout, 'docker/Dockerfile'), 'utf8').includes('NODE_COMPILE_CACHE');

/** Runs the works in turn, so that other load on the machine affects all. @returns the results of each */
async function alternately<T>(runs: number, works: readonly (() => Promise<T>)[], discarded = 0): Promise<T[][]> {
  const results = works.map((): T[] => []);
  for (let run = -discarded; run < runs; run++)
    for (const [index, work] of works.entries()) {
      const result = await work();
      if (run >= 0) results[index]!.push(result);
    }
  return results;
}

async function migratedDatabase(postgres: string, service: ServiceName, checkout: string, index: number): Promise<string> {
  const name = `start_${service.replace('-', '_')}_${index}`;
  await withClient(postgres, async (client) => {
    await client.query(`drop database if exists ${name} with (force)`);
    await client.query(createDatabaseStatement(name));
  });
  const url = databaseUrl(postgres, name);
  await migrate(service, url, checkout);
  return url;
}

type Start = (env?: NodeJS.ProcessEnv) => Promise<ServiceProcess>;

const costOfStart = (start: Start) => async (): Promise<{ seconds: number; megabytes: number }> => {
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

/** Starts a service once more, with V8's coverage, which lists every file that was loaded. @returns the number of files by package */
const filesOf = (start: Start) => async (): Promise<Map<string, number>> => {
  const folder = mkdtempSync(join(tmpdir(), 'start-'));
  const service = await start({ NODE_V8_COVERAGE: folder });
  await service.stop();
  const urls = readdirSync(folder).flatMap((name) => {
    const { result } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as { result: { url: string }[] };
    return result.map(({ url }) => url).filter((url) => url.startsWith('file:'));
  });
  rmSync(folder, { recursive: true });
  const packages = new Map<string, number>();
  for (const url of new Set(urls)) {
    const name = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1] ?? 'our own';
    packages.set(name, (packages.get(name) ?? 0) + 1);
  }
  return packages;
};

const total = (packages: Map<string, number>): number => [...packages.values()].reduce((sum, count) => sum + count, 0);

const mostFiles = (packages: Map<string, number>): string =>
  [...packages]
    .sort(([, a], [, b]) => b - a)
    .slice(0, MOST_FILES)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ');

/** How long `npm start` takes until it lists its addresses. The first start of a checkout creates the databases. */
const secondsOfStack = (checkout: string) => async (): Promise<number> => {
  const [COVERAGE_PORT, EVENT_PORT, ISSUER_PORT] = [await freePort(), await freePort(), await freePort()].map(String);
  const env = {
    ...process.env,
    NODE_OPTIONS: undefined,
    DATABASE_URL: undefined,
    DATA_DIR: join(checkout, '.data/bench/start'),
    COVERAGE_PORT,
    EVENT_PORT,
    ISSUER_PORT,
  };
  const began = performance.now();
  let listed: (seconds: number) => void;
  const seconds = new Promise<number>((resolve) => (listed = resolve));
  const stack = new Program({
    name: 'npm start',
    command: 'npm',
    args: ['start'],
    cwd: checkout,
    env,
    // Ctrl-C and its end concern only itself.
    detached: true,
    readyUrl: '',
    onLine: (line) => {
      if (line.includes('.well-known/openid-configuration')) listed((performance.now() - began) / 1_000);
    },
  });
  const failed = stack.gone.then((reason): never => {
    throw new Error([`npm start ${reason}`, ...stack.lines].join('\n'));
  });
  try {
    return await Promise.race([seconds, failed]);
  } finally {
    failed.catch(() => undefined);
    await stack.stop();
    // npm's shell does not pass the signal on; the stack notices that npm has ended.
    await sleep(IDLE_MS);
  }
};

function row(what: string, unit: string, sides: readonly number[][]): string[] {
  const [ours, theirs] = sides.map((values) => part(values, 0.5));
  const cell = (value: number): string => `${value < 100 ? value.toPrecision(3) : Math.round(value)} ${unit}`.trim();
  return [what, cell(ours!), ...(theirs === undefined ? [] : [cell(theirs), (ours! / theirs).toFixed(2)])];
}
