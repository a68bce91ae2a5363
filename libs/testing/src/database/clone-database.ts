import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { withClient } from '@fibre/embedded-postgres';
import pg from 'pg';
import { SERVER_URL_VARIABLE, TEMPLATE_URL_VARIABLE } from './jest-global-setup.js';
import { databaseUrl, dropDatabase } from './server-client.js';

/** SQLSTATE: somebody is connected to the template just now. */
const OBJECT_IN_USE = '55006';
const CLONE_ATTEMPTS = 100;
/** Milliseconds, at most, between two attempts. */
const CLONE_PAUSE_MS = 200;

/** A database of its own for one spec file. */
export interface ClonedDatabase {
  url: string;
  /** Drops it, ending the connections to it. */
  drop(): Promise<void>;
}

/**
 * Copies the template database that `globalSetup` made.
 *
 * @throws Error when Jest ran without `globalSetup`
 */
export async function cloneDatabase(): Promise<ClonedDatabase> {
  const { [SERVER_URL_VARIABLE]: serverUrl, [TEMPLATE_URL_VARIABLE]: templateUrl } = process.env;
  if (!serverUrl || !templateUrl)
    throw new Error('there is no template database: name globalSetup and globalTeardown in the Jest configuration');
  const template = decodeURIComponent(new URL(templateUrl).pathname.slice(1));
  const name = `${template}_${randomBytes(6).toString('hex')}`;
  await withClient(serverUrl, (client) => clone(client, template, name));
  return { url: databaseUrl(serverUrl, name), drop: () => withClient(serverUrl, (client) => dropDatabase(client, name)) };
}

async function clone(client: pg.Client, template: string, name: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await client.query(`create database ${pg.escapeIdentifier(name)} template ${pg.escapeIdentifier(template)}`);
      return;
    } catch (error) {
      if ((error as { code?: string }).code !== OBJECT_IN_USE || attempt >= CLONE_ATTEMPTS) throw error;
      await sleep(Math.random() * CLONE_PAUSE_MS);
    }
  }
}
