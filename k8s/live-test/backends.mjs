// The development issuer and the services, run from their sources.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { freePort, FROM_SOURCES, HOST, start, startService } from './program.mjs';

const WORKSPACE = join(import.meta.dirname, '../..');
/** One for all tests of a file: it is the making of a database that takes time. */
export const DATA_DIR = mkdtempSync(join(tmpdir(), 'fibre-live-test-'));
// Root's PostgreSQL runs as nobody, and would have its data where nobody removes it.
chmodSync(DATA_DIR, 0o755);
after(() => rmSync(DATA_DIR, { recursive: true }));

/** @returns the issuer's URL */
export async function startIssuer(test) {
  return (await startIssuerAt(test, await freePort())).url;
}

/** @returns the program and its URL; the next one at the same port has the same keys */
export async function startIssuerAt(test, port) {
  const url = `http://${HOST}:${port}`;
  const program = await start(test, {
    args: [...FROM_SOURCES, 'dev-issuer/main.ts'],
    cwd: join(WORKSPACE, 'tools'),
    env: { ...process.env, DATA_DIR, PORT: String(port) },
    readyUrl: `${url}/.well-known/openid-configuration`,
  });
  return { program, url };
}

/** @returns a token of a demo client with every scope */
export async function token(issuer) {
  const authorization = `Basic ${Buffer.from('ano-demo:ano-demo-secret').toString('base64')}`;
  const response = await fetch(`${issuer}/token`, {
    method: 'POST',
    headers: { authorization },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });
  return (await response.json()).access_token;
}

/**
 * Starts each service with the settings that the chart gives it, but for what belongs to the machine.
 *
 * @param settings environment by the name of the Kubernetes Service
 * @returns ports by the same names
 */
export async function startServices(test, issuer, settings) {
  const started = [...settings].map(async ([name, rendered]) => [
    name,
    (await startReplica(test, name, { ...rendered, ...withOwnDatabase(issuer) })).port,
  ]);
  return new Map(await Promise.all(started));
}

const withOwnDatabase = (issuer) => ({ NODE_ENV: 'development', DATA_DIR, OAUTH_ISSUER: issuer, SHUTDOWN_DELAY_SECONDS: '0' });

/**
 * Starts one replica of a service.
 *
 * @param name ends with the name of the service
 * @returns the program and its port
 */
export async function startReplica(test, name, settings) {
  const port = await freePort();
  const { PATH, HOME } = process.env;
  return { program: await startService(test, serviceOf(name), port, { PATH, HOME, ...settings }), port };
}

/** @param name ends with the name of a service */
export const folderOf = (name) => join(WORKSPACE, 'apps', serviceOf(name));

const serviceOf = (name) => /(coverage|event)-service$/.exec(name)[0];
