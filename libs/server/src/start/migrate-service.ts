import { createDataSource, migrate } from '@fibre/database';
import { exitOnFailure } from './exit-on-failure.js';
import { provideDatabase } from './provide-database.js';
import type { ServerEnv } from '../env/server.env.js';
import type { ServiceDefinition } from './service-definition.js';

type DataSource = ReturnType<typeof createDataSource>;

/** Runs the pending migrations of a service and exits: the entry point of a deployment's migration step. */
export const migrateService = <E extends ServerEnv>(service: ServiceDefinition<E>): Promise<void> =>
  workOnDatabase(service, 'migrations', async (dataSource) => {
    const names = await migrate(dataSource);
    return names.length > 0 ? `ran ${names.join(', ')}` : 'nothing to do';
  });

/**
 * Runs `work` on the database of a service and exits.
 *
 * @param work receives an unconnected data source and returns the final message
 */
export const workOnDatabase = <E extends ServerEnv>(
  service: ServiceDefinition<E>,
  what: string,
  work: (dataSource: DataSource) => Promise<string>,
): Promise<void> =>
  exitOnFailure(`${service.name} ${what}`, async () => {
    const database = await provideDatabase(service, service.readEnv());
    try {
      process.stdout.write(`${await work(dataSourceOf(service, database.url))}\n`);
    } finally {
      await database.stop();
    }
  });

/** @returns names of the migrations that ran */
export const migrateDatabase = <E extends ServerEnv>(service: ServiceDefinition<E>, url: string): Promise<string[]> =>
  migrate(dataSourceOf(service, url));

const dataSourceOf = <E extends ServerEnv>({ name, schema }: ServiceDefinition<E>, url: string): DataSource =>
  createDataSource({ url, poolSize: 1, applicationName: `${name}-migrate`, ...schema });
