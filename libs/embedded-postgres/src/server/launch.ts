import { spawn } from 'node:child_process';
import fs from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import getPort from 'get-port';
import { type Cluster } from './cluster.js';
import { type EmbeddedPostgresOptions } from '../options.js';
import { serverEnvironment } from '../embedded-postgres.env.js';
import { disownStalePidFile, findServer } from './server-process.js';

/** Milliseconds to wait for the start. Recovery after a crash replays the whole log since the last checkpoint. */
const START_TIMEOUT_MS = 300_000;
const POLL_MS = 20;

/** The port was taken after we checked it, or a killed server's backends are still running their last statement. */
const PASSING_FAILURE = /could not bind|pre-existing shared memory block/;
const LAUNCH_ATTEMPTS = 60;
const LAUNCH_PAUSE_MS = 500;

type Options = Pick<EmbeddedPostgresOptions, 'settings' | 'port'>;

/**
 * Starts a server process on the cluster and waits until it accepts connections.
 *
 * @returns the TCP port on 127.0.0.1
 * @throws Error with the server's last log lines
 */
export async function launchServer(cluster: Cluster, logFile: string, options: Options): Promise<number> {
  if (fs.existsSync(logFile)) fs.renameSync(logFile, `${logFile}.1`);
  for (let attempt = 1; ; attempt++) {
    try {
      return await launchOnce(cluster, logFile, options);
    } catch (error) {
      if (attempt >= LAUNCH_ATTEMPTS || !PASSING_FAILURE.test(String(error))) throw error;
      await sleep(LAUNCH_PAUSE_MS);
    }
  }
}

async function launchOnce({ account, binaries, dataDir }: Cluster, logFile: string, { settings, ...options }: Options): Promise<number> {
  const port = options.port ?? (await getPort({ host: '127.0.0.1' }));
  disownStalePidFile(dataDir);
  // There is no Unix socket: the server's account would need write access to the socket's directory, and the kernel limits the length of
  // its path.
  const all = { listen_addresses: '127.0.0.1', unix_socket_directories: '', timezone: 'UTC', log_timezone: 'UTC', ...settings };
  const log = fs.openSync(logFile, 'a', 0o600);
  const child = spawn(
    binaries.postgres,
    ['-D', dataDir, '-p', String(port), ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    // The server has its own process group: Ctrl-C reaches only us, and we stop the server after the last request.
    {
      ...account,
      env: serverEnvironment,
      cwd: '/',
      windowsHide: true,
      stdio: ['ignore', log, log],
      detached: process.platform !== 'win32',
    },
  );
  fs.closeSync(log);
  let ended: string | undefined;
  child.on('error', (error) => (ended ??= error.message));
  child.on('exit', (code, signal) => (ended ??= `postgres ended (${signal ?? code})`));
  child.unref(); // a finished program may exit; its exit stops the server
  for (const end = Date.now() + START_TIMEOUT_MS; Date.now() < end; await sleep(POLL_MS)) {
    if (ended !== undefined) throw new Error(`${ended}, see ${logFile}: ${lastLines(logFile)}`);
    const server = findServer(dataDir);
    if (server?.pid === child.pid && server?.status === 'ready') return port;
  }
  child.kill('SIGQUIT');
  throw new Error(`PostgreSQL was not ready after ${START_TIMEOUT_MS / 1000} s, see ${logFile}`);
}

function lastLines(logFile: string): string {
  return fs.readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-5).join(' | ');
}
