import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { WORKSPACE } from '../workspace.js';
import { coverageSuite } from './coverage-service/suite.js';
import { benchEvents } from './events/bench-events.js';
import { type Options, readOptions } from './options.js';
import { render, writeSection } from './report.js';
import { runSuite } from './run-suite.js';
import { BENCH_DIR } from './service.js';

/** Each gives the text of its section. `BENCH_SUITE` names the one to run; all when absent. */
const suites: Record<string, (options: Options, say: (line: string) => void) => Promise<string>> = {
  [coverageSuite.service]: async (options, say) => render(await runSuite(coverageSuite, options, say), options),
  'event-service': benchEvents,
};
const document = join(WORKSPACE, 'docs/benchmarks.md');

// So that the exit handlers stop the database and the children.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(1));

const options = readOptions();
mkdirSync(BENCH_DIR, { recursive: true });
for (const [name, run] of Object.entries(suites)) {
  if (![undefined, '', name].includes(process.env.BENCH_SUITE)) continue;
  const text = await run(options, (line) => process.stdout.write(`${line}\n`));
  process.stdout.write(`\n${text}\n`);
  // A part of the scenarios, or a profiler that slows one side down, is nothing to publish.
  if (options.only === undefined && !options.profile) writeSection(document, name, text);
}
