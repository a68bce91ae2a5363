import { join } from 'node:path';
import type { ServerEnv } from '../env/server.env.js';
import type { ServiceDefinition } from './service-definition.js';

/** The database at `DATABASE_URL`, or an embedded one for the service. Production requires the variable. */
export async function provideDatabase<E extends ServerEnv>(
  service: ServiceDefinition<E>,
  env: E,
): Promise<{ url: string; stop(): Promise<void> }> {
  if (env.DATABASE_URL) return { url: env.DATABASE_URL, stop: () => Promise.resolve() };
  // Container images do not contain this package.
  const { startEmbeddedPostgres } = await import('@fibre/embedded-postgres');
  const root = join(env.DATA_DIR || join(import.meta.dirname, '../../../../.data'), service.name);
  return startEmbeddedPostgres({ root, database: service.database });
}
