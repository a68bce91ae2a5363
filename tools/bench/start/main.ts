import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { startEmbeddedPostgres } from '@fibre/embedded-postgres';
import { coverageSuite } from '../coverage-service/suite.js';
import { eventSuite } from '../event-service/suite.js';
import { startIssuer } from '../issuer.js';
import { readOptions } from '../options.js';
import { BENCH_DIR, build, migrate, type ServiceOptions } from '../service.js';
import { medianStarts } from '../start-time.js';

/** `npm run bench -- start`: how long a service takes from the start of its process to its first answer, with an empty database. */
export async function benchStart(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      starts: { type: 'string', default: '11' },
      // Another, built checkout of the workspace, which is started in turns with ours.
      'service-dir': { type: 'string', multiple: true, default: [] },
    },
  });
  const roots = [undefined, ...values['service-dir'].map((directory) => resolve(directory))];
  const { suite: only } = readOptions([]);
  for (const { service, firstRequest } of [coverageSuite, eventSuite]) {
    if (only !== undefined && only !== service) continue;
    const folder = join(BENCH_DIR, 'start', service);
    mkdirSync(folder, { recursive: true });
    await build(service);
    const issuer = await startIssuer();
    const postgres = await startEmbeddedPostgres({ root: folder, database: 'start' });
    const sides = roots.map((root): ServiceOptions => ({ service, databaseUrl: postgres.url, issuer: issuer.url, root }));
    try {
      await migrate(sides[0]!);
      const token = await issuer.token(firstRequest.tenant, firstRequest.scope);
      const medians = await medianStarts(sides, firstRequest.path, token, Number(values.starts));
      for (const [index, ms] of medians.entries())
        process.stdout.write(`${service}${roots[index] ? ` in ${roots[index]}` : ''}: ${ms.toFixed(0)} ms\n`);
    } finally {
      issuer.close();
      await postgres.stop();
    }
  }
}
