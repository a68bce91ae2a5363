import { join } from 'node:path';
import { startEmbeddedPostgres } from '@fibre/database';
import type { DynamicModule } from '@nestjs/common';
import { Logger } from 'nestjs-pino';
import { createApp } from './create-app.js';
import type { ApiDescription } from './open-api.js';
import { ConfigurationError, type ServerEnv } from './server.env.js';
import { shutDownOnSignals } from './shutdown.js';

/** A service, as its `main.ts` describes it. */
export interface ServiceDefinition<E extends ServerEnv> {
  readonly name: string;
  /** @throws ConfigurationError */
  readonly readEnv: () => E;
  readonly module: (env: E, databaseUrl: string) => DynamicModule;
  readonly api: ApiDescription;
  /** Name of the database in the embedded server. */
  readonly database: string;
}

/** Starts a service and keeps it running until a signal ends it. Faults at start end the process with a clear line. */
export async function bootstrap<E extends ServerEnv>(service: ServiceDefinition<E>): Promise<void> {
  try {
    await start(service);
  } catch (error) {
    // No logger yet: the configuration or the database may be what failed.
    process.stderr.write(`${service.name} cannot start. ${error instanceof ConfigurationError ? error.message : describe(error)}\n`);
    process.exit(1);
  }
}

async function start<E extends ServerEnv>(service: ServiceDefinition<E>): Promise<void> {
  const env = service.readEnv();
  const database = await provideDatabase(service, env);
  try {
    const app = await createApp(service.module(env, database.url), env, service.api);
    shutDownOnSignals(app, env.SHUTDOWN_DELAY_SECONDS, database.stop);
    await app.listen(env.PORT, env.HOST);
    app.get(Logger).log(`${service.name} listens at ${await app.getUrl()}`);
  } catch (error) {
    await database.stop();
    throw error;
  }
}

async function provideDatabase<E extends ServerEnv>(service: ServiceDefinition<E>, env: E): Promise<{ url: string; stop: () => Promise<void> }> {
  if (env.DATABASE_URL) return { url: env.DATABASE_URL, stop: () => Promise.resolve() };
  if (env.NODE_ENV === 'production') {
    throw new ConfigurationError('The configuration cannot work:\n  DATABASE_URL: is required in production');
  }
  const root = join(env.DATA_DIR || join(import.meta.dirname, '../../../.data'), service.name);
  const embedded = await startEmbeddedPostgres({ root, database: service.database });
  return { url: embedded.url, stop: () => embedded.stop() };
}

const describe = (error: unknown): string => (error instanceof Error ? error.message : String(error));
