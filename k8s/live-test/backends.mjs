// The development issuer and the services, run from their sources with an embedded database each.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

export const HOST = '127.0.0.1';
const WORKSPACE = join(import.meta.dirname, '../..');
const FROM_SOURCES = ['--enable-source-maps', '--conditions=source', '--import', '@swc-node/register/esm-register'];
/** A first start makes the database. */
const READY_WITHIN_MS = 120_000;
/** One for all tests of a file: it is the making of a database that takes time. */
const DATA_DIR = mkdtempSync(join(tmpdir(), 'fibre-live-test-'));
after(() => rmSync(DATA_DIR, { recursive: true }));

export async function freePort() {
  const server = createServer().listen(0, HOST);
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

/** Starts a program, waits until it answers at `readyUrl`, and stops it at the end of `test`. */
export async function start(test, { command = process.execPath, args, cwd, env, readyUrl, readyIf = (response) => response.ok }) {
  const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += data));
  const gone = once(child, 'exit');
  test.after(async () => {
    child.kill('SIGTERM');
    await gone;
  });
  for (const end = Date.now() + READY_WITHIN_MS; ; await sleep(200)) {
    if (child.exitCode !== null) throw new Error(`${command} ${args.join(' ')} ended: ${output}`);
    if (await fetch(readyUrl).then(readyIf, () => false)) return;
    if (Date.now() > end) throw new Error(`${readyUrl} did not answer: ${output}`);
  }
}

/** @returns the issuer's URL */
export async function startIssuer(test) {
  const port = await freePort();
  const url = `http://${HOST}:${port}`;
  const readyUrl = `${url}/.well-known/openid-configuration`;
  await start(test, { args: [...FROM_SOURCES, 'dev-issuer/main.ts'], cwd: join(WORKSPACE, 'tools'), env: { ...process.env, PORT: String(port) }, readyUrl });
  return url;
}

/** @returns a token of a demo client with every scope */
export async function token(issuer) {
  const authorization = `Basic ${Buffer.from('ano-demo:ano-demo-secret').toString('base64')}`;
  const response = await fetch(`${issuer}/token`, { method: 'POST', headers: { authorization }, body: new URLSearchParams({ grant_type: 'client_credentials' }) });
  return (await response.json()).access_token;
}

/**
 * Starts each service with the settings that the chart gives it, but for what belongs to the machine.
 *
 * @param settings environment by the name of the Kubernetes Service
 * @returns ports by the same names
 */
export async function startServices(test, issuer, settings) {
  const ports = new Map();
  await Promise.all(
    [...settings].map(async ([name, rendered]) => {
      const port = await freePort();
      ports.set(name, port);
      const machine = { NODE_ENV: 'development', HOST, PORT: String(port), DATA_DIR, OAUTH_ISSUER: issuer, SHUTDOWN_DELAY_SECONDS: '0' };
      const { PATH, HOME } = process.env;
      await start(test, {
        args: [...FROM_SOURCES, 'src/main.ts'],
        cwd: join(WORKSPACE, 'apps', /(coverage|event)-service$/.exec(name)[0]),
        env: { PATH, HOME, ...rendered, ...machine },
        readyUrl: `http://${HOST}:${port}/health/ready`,
      });
    }),
  );
  return ports;
}
