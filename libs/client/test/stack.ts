import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { createDatabase, databaseUrl, dropDatabase, freePort, ServiceProcess, startTestPostgres } from '@fibre/testing';
import { clientCredentials, FibreClient, type FibreClientOptions } from '../src/index.js';

export const WORKSPACE = join(import.meta.dirname, '../../..');

/** Both services as processes, each with its own database. */
export interface Stack {
  coverageUrl: string;
  eventsUrl: string;
  issuer: string;
  /** A client of the library with the credentials of this demo client. */
  client(id?: string, options?: Partial<FibreClientOptions>): FibreClient;
  close(): Promise<void>;
}

/** @param settings of the services, besides those for each other's addresses */
export async function startStack(settings: Record<string, string> = {}): Promise<Stack> {
  const { PATH, HOME, TMPDIR, TEST_ISSUER: issuer = '' } = process.env;
  const server = await startTestPostgres();
  const id = randomBytes(6).toString('hex');
  const databases = ['coverage-service', 'event-service'].map((name) => ({ name, database: `client_${id}_${name}` }));
  const services = await Promise.all(
    databases.map(async ({ name, database }) => {
      await createDatabase(server.directUrl, database);
      const DATABASE_URL = databaseUrl(server.url, database);
      return new ServiceProcess(name, await freePort(), {
        ...{ PATH, HOME, TMPDIR, DATABASE_URL, OAUTH_ISSUER: issuer, LOG_LEVEL: 'warn' },
        ...settings,
      });
    }),
  );
  const close = async (): Promise<void> => {
    await Promise.all(services.map((service) => service.stop()));
    for (const { database } of databases) await dropDatabase(server.directUrl, database);
    await server.stop();
  };
  await Promise.all(services.map((service) => service.ready())).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  const urls = { coverageUrl: services[0]!.url, eventsUrl: services[1]!.url };
  return {
    ...urls,
    issuer,
    client: (id = 'ano-demo', options) =>
      new FibreClient({ ...urls, token: clientCredentials({ issuer, clientId: id, clientSecret: `${id}-secret` }), ...options }),
    close,
  };
}
