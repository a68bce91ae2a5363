import { join } from 'node:path';
import type { ServerEnv } from '../env/server.env.js';
import type { ServiceDefinition } from './service-definition.js';

/** A service's database, and how to release it. */
export interface ProvidedDatabase {
  readonly url: string;
  readonly stop: () => Promise<void>;
}

/** The database of `DATABASE_URL`, or an embedded one for the service. Production requires the variable. */
export async function provideDatabase<E extends ServerEnv>(service: ServiceDefinition<E>, env: E): Promise<ProvidedDatabase> {
  if (env.DATABASE_URL) return { url: env.DATABASE_URL, stop: () => Promise.resolve() };
  // Images do not contain it.
  const { startEmbeddedPostgres } = await import('@fibre/embedded-postgres');
  const root = join(env.DATA_DIR || join(import.meta.dirname, '../../../../.data'), service.name);
  const embedded = await startEmbeddedPostgres({ root, database: service.database });
  return { url: embedded.url, stop: () => embedded.stop() };
}
