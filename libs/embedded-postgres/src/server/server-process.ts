import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Milliseconds to wait for a fast shutdown, which writes a checkpoint, and then for an immediate shutdown, after which the next start
 * recovers.
 */
const FAST_SHUTDOWN_MS = 30_000;
const IMMEDIATE_SHUTDOWN_MS = 10_000;
const POLL_MS = 50;

/** A running server, as described by its `postmaster.pid`. */
export interface ServerProcess {
  pid: number;
  port: number;
  /** `starting`, `ready` or `stopping`, as the server writes it. */
  status: string;
}

/** Whether a process with this id exists, whichever user it belongs to. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** The server that runs on `dataDir`, whoever started it; undefined if there is no `postmaster.pid` or its server is dead. */
export function findServer(dataDir: string): ServerProcess | undefined {
  const lines = readPidFile(dataDir);
  const pid = Number(lines[0]);
  if (!pid || !isAlive(pid) || !isServerOf(pid, dataDir)) return undefined;
  return { pid, port: Number(lines[3]), status: (lines[7] ?? 'starting').trim() };
}

/**
 * After a crash and a reboot, the process id in `postmaster.pid` may belong to another program, and PostgreSQL would refuse to start.
 * PostgreSQL knows that its own parent process is not a server, so we write our process id there. The file must be kept, because it also
 * contains the shared memory key with which PostgreSQL detects backends that survived their server.
 */
export function disownStalePidFile(dataDir: string): void {
  const [first, ...rest] = readPidFile(dataDir);
  const pid = Number(first);
  if (pid && isAlive(pid) && !isServerOf(pid, dataDir)) {
    fs.writeFileSync(path.join(dataDir, 'postmaster.pid'), [process.pid, ...rest].join('\n'));
  }
}

/** Stops the server on `dataDir` and waits until it is gone; does nothing if no server is running. */
export async function stopServer(dataDir: string): Promise<void> {
  const server = findServer(dataDir);
  if (!server) return;
  for (const [signal, wait] of [
    ['SIGINT', FAST_SHUTDOWN_MS],
    ['SIGQUIT', IMMEDIATE_SHUTDOWN_MS],
  ] as const) {
    signalServer(server.pid, signal);
    for (const end = Date.now() + wait; Date.now() < end; await sleep(POLL_MS)) {
      if (findServer(dataDir)?.pid !== server.pid) return;
    }
  }
  throw new Error(`PostgreSQL (process ${server.pid}) does not stop`);
}

/** Asks a server to shut down: cleanly with SIGINT, without a checkpoint with SIGQUIT. */
export function signalServer(pid: number, signal: 'SIGINT' | 'SIGQUIT'): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function readPidFile(dataDir: string): string[] {
  try {
    return fs.readFileSync(path.join(dataDir, 'postmaster.pid'), 'utf8').split('\n');
  } catch {
    return [];
  }
}

/** We always pass the data directory on the command line. A zombie has no command line. */
function isServerOf(pid: number, dataDir: string): boolean {
  if (process.platform === 'win32') return true;
  if (process.platform === 'linux') {
    try {
      return fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes(dataDir);
    } catch {
      return false;
    }
  }
  return spawnSync('ps', ['-ww', '-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).stdout.includes(dataDir);
}
