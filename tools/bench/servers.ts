import { join } from 'node:path';
import { Child } from './child.js';
import type { Database } from './databases.js';
import type { Running, Server } from './running.js';
import { POOL_SIZE, type ServiceOptions, startService } from './service.js';

export interface Servers extends Omit<Running, 'token'> {
  stop: () => Promise<void>;
}

/** Starts a service on each database, and the bare handler on the last one. */
export async function startServers(
  databases: readonly Database[],
  bareModule: string,
  on: (databaseUrl: string) => ServiceOptions,
): Promise<Servers> {
  const started = await Promise.all(databases.map(({ url }) => startService(on(url), '/health/ready')));
  const { url, records } = databases.at(-1)!;
  const bare = startBare(bareModule, url);
  for (const { program } of started) await program.ready();
  const services = started.map(({ url, program }, i): Server => ({ url, pid: program.pid, records: databases[i]!.records }));
  return {
    services,
    service: services.at(-1)!,
    bare: { url: `http://127.0.0.1:${await bare.message<number>()}`, pid: bare.pid, records },
    stop: async () => void (await Promise.all([bare, ...started.map(({ program }) => program)].map((one) => one.stop()))),
  };
}

const startBare = (module: string, databaseUrl: string): Child =>
  new Child(join(import.meta.dirname, 'bare-server.ts'), {
    // Without the bench's `--conditions=source`, so that it runs the built statements.
    execArgv: ['--import', '@swc-node/register/esm-register'],
    env: { ...process.env, DATABASE_URL: databaseUrl, DATABASE_POOL_SIZE: POOL_SIZE, BENCH_BARE_MODULE: module },
  });
