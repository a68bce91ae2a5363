import { randomBytes } from 'node:crypto';
import { testServer } from './jest-global-setup.js';
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
  const { serverUrl, directUrl, templateUrl } = testServer();
  const template = decodeURIComponent(new URL(templateUrl).pathname.slice(1));
  const name = `${template}_${randomBytes(6).toString('hex')}`;
  await copyDatabase(directUrl, template, name);
  return { url: databaseUrl(serverUrl, name), drop: () => dropDatabase(directUrl, name) };
}
