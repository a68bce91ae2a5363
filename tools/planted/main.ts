import { parseArgs } from 'node:util';
import { startTestPostgres } from '@fibre/testing';
import { say, table } from '../bench/setup/report.js';
import { interruption } from '../interruption.js';
import { Checks, type Found, type Volume } from './check.js';
import { Copy, edited } from './copy.js';
import type { Fault } from './fault.js';
import { FAULTS } from './faults.js';

/**
 * `npm run planted`: plants one fault after the other into a copy of the sources and the build, and runs the check that must catch it: a spec
 * file with the volume of `npm test` and, if that passes, with the volume of `npm run test:all`, or `npm run history`. A fault that the spec
 * file catches is caught by `npm test`, which runs this file too. No error of the planted code itself counts, and no spec file that fails
 * without a fault.
 *
 * Exits with 1 if `npm test` misses more than four faults, or if anything is caught by nobody. `--only <text>` plants the faults whose rules
 * or checks contain the text, `--checks tests` and `--checks history` those of one kind.
 */

/** How many faults only `npm run test:all` may catch. */
const MOST_MISSED = 4;
const TIERS: Readonly<Record<Volume, string>> = { few: '`npm test`', all: '`npm run test:all`' };
const NOBODY = '**nobody**';

interface Row {
  readonly fault: Fault;
  readonly tier: string;
  readonly failure: string;
  readonly seconds: number;
}

const { values } = parseArgs({ options: { only: { type: 'string', default: '' }, checks: { type: 'string' } } });
const isOfHistory = ({ caughtBy }: Fault): boolean => caughtBy[0] === 'history';
const checkOf = ({ caughtBy }: Fault): string => caughtBy.join(': ');
const faults = FAULTS.filter(
  (fault) =>
    `${fault.rule}\n${checkOf(fault)}`.includes(values.only) &&
    (values.checks === undefined || isOfHistory(fault) === (values.checks === 'history')),
);

/** Runs each check once without a fault. @returns the first failure */
async function failureWithout(some: readonly Fault[], checks: Checks, volume: Volume): Promise<string | undefined> {
  const which = new Map<Fault['caughtBy'][0], Set<string>>();
  for (const { caughtBy } of some) which.set(caughtBy[0], (which.get(caughtBy[0]) ?? new Set()).add(caughtBy[1]));
  for (const [project, names] of which) {
    // Jest takes several names, `npm run history` one.
    for (const together of project === 'history' ? [...names].map((name) => [name]) : [[...names]]) {
      const { failure } = await checks.run(project, together, volume);
      if (failure !== undefined) return `${project} fails without a fault: ${failure}`;
    }
  }
  return undefined;
}

async function attempt(copy: Copy, checks: Checks, fault: Fault, volume: Volume): Promise<Found> {
  const remove = copy.plant(fault);
  try {
    return await checks.run(fault.caughtBy[0], [fault.caughtBy[1]], volume, fault.file);
  } finally {
    remove();
  }
}

async function plant(copy: Copy, checks: Checks, fault: Fault): Promise<Row> {
  const row = ({ failure, mistake }: Found, tier: string): Row => {
    const seconds = (performance.now() - began) / 1_000;
    if (mistake !== undefined) return { fault, tier: NOBODY, failure: `wrongly planted: ${mistake}`, seconds };
    return { fault, tier: failure === undefined ? NOBODY : tier, failure: failure ?? '', seconds };
  };
  let began = performance.now();
  const few = await attempt(copy, checks, fault, 'few');
  if (isOfHistory(fault)) return row(few, '`npm run history`');
  if (few.failure !== undefined) return row(few, TIERS.few);
  const wrong = await failureWithout([fault], checks, 'all');
  if (wrong !== undefined) return row({ failure: wrong }, NOBODY);
  began = performance.now();
  return row(await attempt(copy, checks, fault, 'all'), TIERS.all);
}

async function main(interrupted: AbortSignal): Promise<void> {
  const began = performance.now();
  // A fault whose code has changed is named before others run for minutes.
  for (const fault of faults) edited(fault);
  const copy = new Copy();
  try {
    const server = await startTestPostgres();
    try {
      const checks = new Checks(copy.folder, server.url, interrupted);
      const wrong = await failureWithout(faults, checks, 'few');
      if (wrong !== undefined) throw new Error(wrong);
      say(`The checks pass without a fault (${minutesSince(began)} minutes).`);
      const rows: Row[] = [];
      for (const fault of faults) {
        const row = await plant(copy, checks, fault);
        rows.push(row);
        say(`${row.tier}: ${fault.rule}: ${row.failure}`);
      }
      report(rows, minutesSince(began));
    } finally {
      await server.stop();
    }
  } finally {
    copy.close();
  }
}

const minutesSince = (began: number): string => ((performance.now() - began) / 60_000).toFixed(1);
const cell = (text: string): string => text.replaceAll('|', '\\|').slice(0, 120);

function report(rows: readonly Row[], minutes: string): void {
  const cells = rows.map(({ fault, tier, failure, seconds }) => [fault.rule, tier, checkOf(fault), cell(failure), seconds.toFixed(0)]);
  say(`\n${table(['Rule', 'Caught by', 'Check', 'First failure', 'Seconds'], cells)}`);
  const ofTests = rows.filter(({ fault }) => !isOfHistory(fault));
  const counted = (tier: string, some: readonly Row[]): number => some.filter((row) => row.tier === tier).length;
  const [few, all, nobody] = [counted(TIERS.few, ofTests), counted(TIERS.all, ofTests), counted(NOBODY, rows)];
  const sums = `Of ${ofTests.length} faults, \`npm test\` catches ${few} and \`npm run test:all\` ${few + all}.`;
  say(
    `\n${sums} \`npm run history\` catches ${counted('`npm run history`', rows)} of ${rows.length - ofTests.length}. ${minutes} minutes.`,
  );
  if (ofTests.length - few > MOST_MISSED || nobody > 0) process.exitCode = 1;
}

const interrupted = interruption();
await main(interrupted).catch((error: unknown) => {
  if (!interrupted.aborted) throw error;
  say('Interrupted.');
  process.exitCode = 1;
});
