import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort, Program } from '@fibre/testing/processes';
import { onStage, type Stage } from './setup/database.js';
import { part } from './setup/load.js';
import { MACHINE, say, table } from './setup/report.js';
import { BENCH_DIR, SERVICES, startService } from './setup/service.js';
import { alternately, costOfStart, filesOf, migratedDatabase, secondsOfStart, type Start, startBareNest } from './setup/start-costs.js';
import { WORKSPACE } from '../workspace.js';

const MOST_FILES = 12;
/** npm's shell does not pass a signal on; the stack notices within this time that npm has ended. */
const STACK_ENDS_MS = 5_000;

/** A start of a service costs 0.9 to 1.13 times the processor time of one of bare-nest.mjs. If it costs over a fifth more, it has become slower. */
const MOST_OF_BARE_NEST = 1.2;
const QUICK_RUNS = [3, 7];

export interface StartOptions {
  /** Another checkout, with its packages installed. */
  than: string;
  runs: number;
}

/** `npm run bench -- start`: what a start costs, beside a bare service of NestJS, and compared with another checkout. Only on Linux. */
export async function benchStart({ than, runs }: StartOptions): Promise<void> {
  const checkouts = than ? [WORKSPACE, resolve(than)] : [WORKSPACE];
  const rows: string[][] = [];
  const files: string[][] = [];
  const work = async ({ issuer, postgres }: Stage): Promise<void> => {
    for (const service of SERVICES) {
      const starts: Start[] = [];
      let url = '';
      for (const [index, checkout] of checkouts.entries()) {
        const own = await migratedDatabase(postgres, `start_${index}_of_${service.replace('-', '_')}`, service, checkout);
        const image = { NODE_COMPILE_CACHE: hasCompileCache(checkout) ? join(BENCH_DIR, `compile-cache-${index}`) : undefined };
        starts.push((env) => startService(service, own, issuer.url, [], { ...image, ...env }, checkout));
        url = own;
      }
      starts.push(startBareNest(url));
      const costs = await alternately(runs, starts.map(costOfStart), 1);
      const loaded = (await alternately(1, starts.map(filesOf))).map(([packages]) => packages!);
      const each = (key: 'seconds' | 'megabytes'): number[][] => costs.map((side) => side.map((cost) => cost[key]));
      rows.push(row(`${service}: processor time until ready`, 's', sides(each('seconds'))));
      const counts = loaded.map((packages) => [total(packages)]);
      rows.push(row(`${service}: files loaded`, '', sides(counts)));
      rows.push(row(`${service}: resident memory when idle`, 'MB', sides(each('megabytes'))));
      files.push([service, mostFiles(loaded[0]!)]);
    }
  };
  await onStage(SERVICES, work, checkouts[1]);
  const head = ['', 'This checkout', ...(than ? ['The other one', 'Ratio'] : [])];
  say(`\n${MACHINE} Medians of ${runs}.\n\n${table([...head, 'Bare NestJS'], rows)}`);
  say(`\n${table(['', 'Files of this checkout by package'], files)}`);
  const stacks = await alternately(runs, checkouts.map(secondsOfStack), 1);
  say(`\n${table(head, [row('npm start until its addresses', 's', { ours: stacks[0]!, theirs: stacks[1] })])}`);
}

/** For `npm run bench -- quick`: fails if a start costs more than it did, beside a bare service of NestJS. */
export async function benchStartQuickly(): Promise<void> {
  await onStage(SERVICES, async ({ issuer, postgres }) => {
    for (const service of SERVICES) {
      const url = await migratedDatabase(postgres, `quick_start_of_${service.replace('-', '_')}`, service, WORKSPACE);
      // Without what V8 has compiled before, because only newer releases of Node.js can keep it.
      const env = { NODE_COMPILE_CACHE: undefined };
      const starts: Start[] = [() => startService(service, url, issuer.url, [], env), () => startBareNest(url)(env)];
      let ratio = Infinity;
      // A median of few starts may be high by chance, so a high one is measured again.
      for (const runs of QUICK_RUNS) {
        if (ratio <= MOST_OF_BARE_NEST) break;
        const [ours, bare] = (await alternately(runs, starts.map(secondsOfStart))).map((side) => part(side, 0.5));
        ratio = ours! / bare!;
        say(`${service}, processor time of a start: ${ratio.toFixed(2)} times that of a bare service of NestJS`);
      }
      if (ratio <= MOST_OF_BARE_NEST) continue;
      say(`${service}: a start costs over a fifth more than that of a bare service of NestJS`);
      process.exitCode = 1;
    }
  });
}

/** Whether the images of a checkout contain what V8 has compiled. Here, the discarded first start writes it. */
const hasCompileCache = (checkout: string): boolean =>
  readFileSync(join(checkout, 'docker/Dockerfile'), 'utf8').includes('NODE_COMPILE_CACHE');

const total = (packages: Map<string, number>): number => [...packages.values()].reduce((sum, count) => sum + count, 0);

const mostFiles = (packages: Map<string, number>): string =>
  [...packages]
    .sort(([, a], [, b]) => b - a)
    .slice(0, MOST_FILES)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ');

interface Sides {
  ours: number[];
  theirs?: number[];
  bare?: number[];
}

/** The bare service is the last side. */
const sides = (values: readonly number[][]): Sides => ({
  ours: values[0]!,
  theirs: values.length > 2 ? values[1] : undefined,
  bare: values.at(-1),
});

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
    await sleep(STACK_ENDS_MS);
  }
};

/** A row of medians: of this checkout, of the other one with the ratio if there is one, and of the bare service of NestJS if it was measured. */
function row(what: string, unit: string, { ours, theirs, bare }: Sides): string[] {
  const cell = (values: number[]): string => {
    const value = part(values, 0.5);
    return `${value < 100 ? value.toPrecision(3) : Math.round(value)} ${unit}`.trim();
  };
  const ratio = (): string => (part(ours, 0.5) / part(theirs!, 0.5)).toFixed(2);
  return [what, cell(ours), ...(theirs ? [cell(theirs), ratio()] : []), ...(bare ? [cell(bare)] : [])];
}
