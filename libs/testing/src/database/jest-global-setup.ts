import { randomBytes } from 'node:crypto';
import { withClient } from '@fibre/embedded-postgres';
import { createDatabase, databaseUrl, dropDatabase, freezeDatabase } from './server-client.js';
import { startTestPostgres } from './test-postgres.js';

/**
 * The URLs that `globalSetup` has set, which Jest's workers inherit: of another database on the same server, directly and through a pooler if
 * there is one, and of the template.
 *
 * @throws Error if Jest ran without it
 */
export function testServer(): { serverUrl: string; directUrl: string; templateUrl: string } {
  const { TEST_DATABASE_SERVER_URL: serverUrl, TEST_DATABASE_DIRECT_URL: directUrl, TEST_DATABASE_TEMPLATE_URL: templateUrl } = process.env;
  if (serverUrl && directUrl && templateUrl) return { serverUrl, directUrl, templateUrl };
  throw new Error('there is no template database: set globalSetup and globalTeardown in the Jest configuration');
}

/** Cleanup for `globalTeardown`; Jest may load setup and teardown as separate module graphs. */
export const TEARDOWN = Symbol.for('fibre.testing.teardown');

/**
 * Returns Jest's `globalSetup`, which starts a server with one template database that `migrateTemplate` fills. The template then accepts no
 * connections, because PostgreSQL only copies a database that nobody is using.
 */
export function globalSetup(migrateTemplate: (url: string) => Promise<void>): () => Promise<void> {
  return async () => {
    const server = await startTestPostgres();
    const template = `test_${process.pid}_${randomBytes(4).toString('hex')}`;
    (globalThis as { [TEARDOWN]?: () => Promise<void> })[TEARDOWN] = async () => {
      const made = await withClient(server.directUrl, (client) =>
        client.query<{ datname: string }>('select datname from pg_database where starts_with(datname, $1)', [template]),
      );
      for (const { datname } of made.rows) await dropDatabase(server.directUrl, datname);
      await server.stop();
    };
    await createDatabase(server.directUrl, template);
    const templateUrl = databaseUrl(server.directUrl, template);
    Object.assign(process.env, {
      TEST_DATABASE_SERVER_URL: server.url,
      TEST_DATABASE_DIRECT_URL: server.directUrl,
      TEST_DATABASE_TEMPLATE_URL: templateUrl,
    });
    await migrateTemplate(templateUrl);
    await freezeDatabase(server.directUrl, template);
  };
}
