import { createDataSource, migrate } from '@fibre/database';
import { exitOnFailure } from './exit-on-failure.js';
import { provideDatabase } from './provide-database.js';
import type { ServerEnv } from '../env/server.env.js';
import type { ServiceDefinition } from './service-definition.js';

/** Runs the pending migrations of a service and exits: the entry point of a deployment's migration step. */
export const migrateService = <E extends ServerEnv>(service: ServiceDefinition<E>): Promise<void> =>
  exitOnFailure(`${service.name} migrations`, async () => {
    const database = await provideDatabase(service, service.readEnv());
    try {
      const names = await migrateDatabase(service, database.url);
      process.stdout.write(`${names.length > 0 ? `ran ${names.join(', ')}` : 'nothing to do'}\n`);
    } finally {
      await database.stop();
    }
  });

/** @returns names of the migrations that ran */
export const migrateDatabase = <E extends ServerEnv>({ name, schema }: ServiceDefinition<E>, url: string): Promise<string[]> =>
  migrate(createDataSource({ url, poolSize: 1, applicationName: `${name}-migrate`, ...schema }));
