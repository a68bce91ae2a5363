import { mkdirSync } from 'node:fs';
import { coverageSuite } from './coverage-service/suite.js';
import { readSection } from './document-section.js';
import { eventSuite } from './event-service/suite.js';
import type { Options } from './options.js';
import { runSuite } from './run-suite.js';
import { BENCH_DIR } from './service.js';
import type { Suite } from './suite.js';

/** Of the recorded ratio, what has to be left. A busy machine and small tables take some of it, a mistake takes more. */
const LEFT = 2 / 3;
const OPTIONS: Options = { nodes: 20_000, events: 20_000, rounds: 3, seconds: 1, profile: false, sharedBuffers: '128MB' };

/**
 * The ratios to the bare handler on small tables, beside those that the document has: a fall by a third ends the process with 1. Who fell is
 * measured again for longer, since one second may meet anything.
 */
export async function benchQuick(document: string): Promise<void> {
  mkdirSync(BENCH_DIR, { recursive: true });
  const fallen: string[] = [];
  for (const suite of [coverageSuite, eventSuite]) {
    const recorded = readSection(document, suite.service);
    const first = await measure(suite, suite.quick, recorded, OPTIONS);
    if (first.length > 0) fallen.push(...(await measure(suite, first, recorded, { ...OPTIONS, rounds: 2 * OPTIONS.rounds, seconds: 3 })));
  }
  if (fallen.length === 0) return;
  process.stdout.write(
    `fell by more than a third: ${fallen.join(', ')}. npm run bench -- --only <name> --profile shows where the time goes\n`,
  );
  process.exitCode = 1;
}

/** @returns the names of those that fell */
async function measure(suite: Suite, names: readonly string[], recorded: string, options: Options): Promise<string[]> {
  const scenarios = Object.fromEntries(names.map((name) => [name, suite.scenarios[name]!]));
  const { results } = await runSuite({ ...suite, scenarios }, options, () => undefined);
  return names.filter((name, index) => {
    const { scenario, ratio } = results[index]!;
    const least = LEFT * recordedRatio(recorded, scenario.title);
    process.stdout.write(`${suite.service} ${name}: ${ratio.toFixed(2)} of the bare handler, at least ${least.toFixed(2)}\n`);
    return ratio < least;
  });
}

function recordedRatio(section: string, title: string): number {
  const row = section.split('\n').find((line) => line.startsWith(`| ${title} | `) && line.includes('/s'));
  const ratio = Number(row?.split(' | ')[3]?.split(' ')[0]);
  if (!(ratio > 0)) throw new Error(`docs/benchmarks.md has no ratio for "${title}": npm run bench`);
  return ratio;
}
