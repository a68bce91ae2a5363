import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { WORKSPACE } from '../workspace.js';
import { benchCapacity } from './capacity/main.js';
import { benchCitus } from './citus/main.js';
import { coverageSuite } from './coverage-service/suite.js';
import { eventSuite } from './event-service/suite.js';
import { benchFiles } from './files/main.js';
import { benchGrowth } from './growth/main.js';
import { benchMerge } from './merge/main.js';
import { readOptions } from './options.js';
import { benchOverload } from './overload/main.js';
import { benchQuick } from './quick.js';
import { benchPeers } from './peers/main.js';
import { benchProfile } from './profile/main.js';
import { render } from './report.js';
import { runSuite } from './run-suite.js';
import { benchStart } from './start/main.js';
import { runSimulation } from './simulation/main.js';
import { BENCH_DIR } from './service.js';
import { benchTiles } from './tiles/main.js';
import { writeSection } from './document-section.js';

const document = join(WORKSPACE, 'docs/benchmarks.md');

// So that the exit handlers stop the database and the children.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(1));

async function benchRatios(args: string[]): Promise<void> {
  const options = readOptions(args);
  mkdirSync(BENCH_DIR, { recursive: true });
  for (const suite of [coverageSuite, eventSuite]) {
    if (options.suite !== undefined && options.suite !== suite.service) continue;
    const text = render(await runSuite(suite, options, (line) => process.stdout.write(`${line}\n`)), options);
    process.stdout.write(`\n${text}\n`);
    // A part of the scenarios, or a profiler that slows one side down, is nothing to publish.
    if (options.only === undefined && !options.profile) writeSection(document, suite.service, text);
  }
}

/** `npm run bench -- all`: every table that has a goal, one after the other on one machine. */
async function benchAll(): Promise<void> {
  await benchRatios([]);
  await benchMerge();
  await benchGrowth([]);
  await benchPeers([]);
}

const [command, ...args] = process.argv.slice(2);
const commands: Record<string, () => Promise<void> | void> = {
  all: benchAll,
  overload: () => benchOverload(args),
  capacity: benchCapacity,
  citus: benchCitus,
  files: benchFiles,
  growth: () => benchGrowth(args),
  merge: benchMerge,
  quick: () => benchQuick(document, args),
  peers: () => benchPeers(args),
  profile: () => benchProfile(args),
  simulation: () => runSimulation(args),
  start: () => benchStart(args),
  tiles: () => benchTiles(args),
};
await (commands[command ?? ''] ?? (() => benchRatios(process.argv.slice(2))))();
