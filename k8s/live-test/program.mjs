// A program that runs beside the tests, and a port for it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export const HOST = '127.0.0.1';
/** A first start makes the database. */
const READY_WITHIN_MS = 120_000;

/** Below those that the system gives to connections: one of many under load would have taken it before the server does. */
let nextPort = 16_000 + (process.pid % 1_000) * 16;

export async function freePort() {
  for (;;) {
    const port = nextPort++;
    const server = createServer();
    const isFree = await new Promise((resolve) => server.once('error', () => resolve(false)).listen(port, HOST, () => resolve(true)));
    if (!isFree) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}

/**
 * Starts a program, waits until it answers at `readyUrl`, and stops it at the end of `test`.
 *
 * @returns the process, what it printed, and `stop`, which gives the exit code
 */
export async function start(test, { command = process.execPath, args, cwd, env, readyUrl, readyIf = (response) => response.ok }) {
  const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += data));
  const gone = once(child, 'exit');
  const stop = async () => {
    child.kill('SIGTERM');
    return (await gone)[0];
  };
  test.after(stop);
  for (const end = Date.now() + READY_WITHIN_MS; ; await sleep(200)) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`${command} ${args.join(' ')} ended: ${output}`);
    if (await fetch(readyUrl).then(readyIf, () => false)) return { child, stop, output: () => output };
    if (Date.now() > end) throw new Error(`${readyUrl} did not answer: ${output}`);
  }
}
