import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { WORKSPACE } from '../../workspace.js';
import { prepareDatabase, startDatabaseServer, versionOf } from '../databases.js';
import { startIssuer } from '../issuer.js';
import { machine } from '../machine.js';
import { type Options, readOptions } from '../options.js';
import { BENCH_DIR, build, type ServiceOptions, startService } from '../service.js';
import { writeSection } from '../document-section.js';
import { FULL, measureOverload, type OverloadResult, QUICK } from './measure.js';
import { plot } from './plot.js';
import { render } from './report.js';
import { type OverloadSubject, overloadSubjects } from './suites.js';

/** `npm run bench -- overload`: what a service does when far more is asked of it than it can do. */
export async function benchOverload(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      quick: { type: 'boolean', default: false },
      // Another, built checkout of the workspace: its numbers are the column "before".
      'service-dir': { type: 'string' },
    },
  });
  const root = values['service-dir'] === undefined ? undefined : resolve(values['service-dir']);
  const options = readOptions([]);
  mkdirSync(BENCH_DIR, { recursive: true });
  for (const subject of overloadSubjects) {
    if (options.suite !== undefined && options.suite !== subject.service) continue;
    const file = (side: string): string => join(BENCH_DIR, `overload-${subject.service}-${side}.json`);
    const result = await measure(subject, options, root, values.quick ? QUICK : FULL);
    if (values.quick) continue;
    writeFileSync(file(root === undefined ? 'after' : 'before'), JSON.stringify(result));
    const read = (side: string): OverloadResult | undefined =>
      existsSync(file(side)) ? (JSON.parse(readFileSync(file(side), 'utf8')) as OverloadResult) : undefined;
    const [before, after] = [read('before'), read('after')];
    if (!after) continue;
    writeSection(join(WORKSPACE, 'docs/reliability.md'), subject.service, render(subject, before, after));
    writeFileSync(join(WORKSPACE, `docs/overload-${subject.service}.svg`), plot(subject, before, after));
  }
}

async function measure(
  { service, dataset, prepare }: OverloadSubject,
  options: Options,
  root: string | undefined,
  lengths: typeof FULL,
): Promise<OverloadResult & { machine: [string, string][] }> {
  const say = (line: string): boolean => process.stdout.write(`${service}: ${line}\n`);
  if (root === undefined) await build(service);
  const issuer = await startIssuer();
  const postgres = await startDatabaseServer(service, options.sharedBuffers);
  const on = (databaseUrl: string): ServiceOptions => ({ service, databaseUrl, issuer: issuer.url, root });
  try {
    say('preparing');
    const { url: databaseUrl, records } = await prepareDatabase(postgres.url, dataset(options), on);
    const { url, program } = await startService(on(databaseUrl), '/health/ready');
    await program.ready();
    try {
      const server = { url, pid: program.pid, records };
      const result = await measureOverload(server, await prepare(issuer.token), lengths, say);
      return { ...result, machine: machine(await versionOf(postgres.url), records) };
    } finally {
      await program.stop();
    }
  } finally {
    issuer.close();
    await postgres.stop();
  }
}
