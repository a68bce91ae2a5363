import { mkdirSync } from 'node:fs';
import { coverageSuite } from './coverage-service/suite.js';
import { readSection, writeSection } from './document-section.js';
import { eventSuite } from './event-service/suite.js';
import type { Options } from './options.js';
import { table } from './report.js';
import { runSuite } from './run-suite.js';
import { BENCH_DIR } from './service.js';
import type { Suite } from './suite.js';

/** Of a recorded ratio, what has to be left. */
const LEFT = 2 / 3;
const OPTIONS: Options = { nodes: 20_000, events: 20_000, rounds: 3, seconds: 1, profile: false, sharedBuffers: '128MB' };
const AGAIN: Options = { ...OPTIONS, rounds: 5, seconds: 2 };

type Ratios = ReadonlyMap<string, number>;

/**
 * `npm run bench -- quick`: the ratios to the bare handler on small tables, beside those that the document has of such a run: a fall by a third ends
 * the process with 1. Who fell is measured again for longer, since one second may meet anything. `--record` writes them there instead.
 */
export async function benchQuick(document: string, args: string[]): Promise<void> {
  mkdirSync(BENCH_DIR, { recursive: true });
  const isRecording = args.includes('--record');
  const recorded = readSection(document, 'quick');
  const ratios = new Map<string, number>();
  for (const suite of [coverageSuite, eventSuite]) {
    const found = await measure(suite, suite.quick, isRecording ? AGAIN : OPTIONS);
    const fallen = isRecording ? [] : suite.quick.filter((name) => hasFallen(recorded, suite, name, found));
    for (const [name, ratio] of [...found, ...(fallen.length > 0 ? await measure(suite, fallen, AGAIN) : [])])
      ratios.set(titleOf(suite, name), ratio);
  }
  if (isRecording)
    return writeSection(
      document,
      'quick',
      table(
        ['', 'Ratio'],
        [...ratios].map(([title, ratio]) => [title, ratio.toFixed(2)]),
      ),
    );
  const fallen = [...ratios].filter(([title, ratio]) => ratio < LEFT * recordedRatio(recorded, title));
  for (const [title, ratio] of fallen)
    process.stdout.write(
      `${title} fell by more than a third: npm run bench -- --only ${title.split(' ')[1]} --profile shows where the time goes (${ratio.toFixed(2)})\n`,
    );
  process.exitCode = fallen.length > 0 ? 1 : 0;
}

const titleOf = ({ service }: Suite, name: string): string => `${service} ${name}`;

const hasFallen = (recorded: string, suite: Suite, name: string, found: Ratios): boolean =>
  found.get(name)! < LEFT * recordedRatio(recorded, titleOf(suite, name));

/** The last table of a suite is the large one; of a short run it is not large either. */
async function measure(suite: Suite, names: readonly string[], options: Options): Promise<Ratios> {
  const scenarios = Object.fromEntries(names.map((name) => [name, suite.scenarios[name]!]));
  const datasets: Suite['datasets'] = (from) => suite.datasets(from).slice(-1);
  const { results } = await runSuite({ ...suite, scenarios, datasets }, options, () => undefined);
  const ratios = new Map(names.map((name, index) => [name, results[index]!.ratio]));
  for (const [name, ratio] of ratios) process.stdout.write(`${titleOf(suite, name)}: ${ratio.toFixed(2)} of the bare handler\n`);
  return ratios;
}

function recordedRatio(section: string, title: string): number {
  const ratio = Number(
    section
      .split('\n')
      .find((line) => line.startsWith(`| ${title} | `))
      ?.split(' | ')[1]
      ?.replace(' |', ''),
  );
  if (!(ratio > 0)) throw new Error(`docs/benchmarks.md has no ratio for "${title}": npm run bench -- quick --record`);
  return ratio;
}
