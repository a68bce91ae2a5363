import { randomBytes } from 'node:crypto';
import { DIRECT_URL_VARIABLE, SERVER_URL_VARIABLE, TEMPLATE_URL_VARIABLE } from './jest-global-setup.js';
import { copyDatabase, databaseUrl, dropDatabase } from './server-client.js';

/** A database for one spec file. */
export interface ClonedDatabase {
  url: string;
  /** Drops the clone, closing its connections. */
  drop(): Promise<void>;
}

/**
 * Copies the template database that `globalSetup` created.
 *
 * @throws Error if Jest ran without `globalSetup`
 */
export async function cloneDatabase(): Promise<ClonedDatabase> {
  const { [SERVER_URL_VARIABLE]: serverUrl, [DIRECT_URL_VARIABLE]: directUrl, [TEMPLATE_URL_VARIABLE]: templateUrl } = process.env;
  if (!serverUrl || !directUrl || !templateUrl)
    throw new Error('there is no template database: set globalSetup and globalTeardown in the Jest configuration');
  const template = decodeURIComponent(new URL(templateUrl).pathname.slice(1));
  const name = `${template}_${randomBytes(6).toString('hex')}`;
  await copyDatabase(directUrl, template, name);
  return { url: databaseUrl(serverUrl, name), drop: () => dropDatabase(directUrl, name) };
}
