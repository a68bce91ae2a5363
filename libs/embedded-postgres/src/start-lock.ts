import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive } from './server-process.js';

/** Milliseconds. No holder works longer than this (a start is bounded to five minutes), so an older lock is a leftover. */
const LOCK_MAX_AGE_MS = 360_000;
const POLL_MS = 50;

/** Locks that this very process holds: a lock file with our process id that is not among them is a leftover too. */
const held = new Set<string>();

/**
 * Runs `work` while no other start or stop works on the same `root`, in this process or another one.
 *
 * @throws Error when the lock stays taken for six minutes
 */
export async function withStartLock<T>(root: string, work: () => Promise<T>): Promise<T> {
  const file = path.join(root, 'start.lock');
  const deadline = Date.now() + LOCK_MAX_AGE_MS;
  while (!take(file)) {
    removeIfLeftOver(file);
    if (Date.now() > deadline) throw new Error(`${file} is held by process ${fs.readFileSync(file, 'utf8')}`);
    await sleep(POLL_MS);
  }
  held.add(file);
  try {
    return await work();
  } finally {
    held.delete(file);
    fs.rmSync(file, { force: true });
  }
}

/** The file appears by a hard link, with its content, so nobody ever reads a lock without an owner. */
function take(file: string): boolean {
  const mine = `${file}.${randomUUID()}`;
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(mine, String(process.pid));
  try {
    fs.linkSync(mine, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return false;
  } finally {
    fs.rmSync(mine, { force: true });
  }
}

/** Moved away first and looked at again: between look and removal another process may have put its own lock there. */
function removeIfLeftOver(file: string): void {
  if (!isLeftOver(file, file)) return;
  const moved = `${file}.${randomUUID()}`;
  try {
    fs.renameSync(file, moved);
    if (!isLeftOver(moved, file)) fs.linkSync(moved, file);
  } catch (error) {
    if (!['ENOENT', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  } finally {
    fs.rmSync(moved, { force: true });
  }
}

function isLeftOver(file: string, name: string): boolean {
  try {
    const pid = Number(fs.readFileSync(file, 'utf8'));
    if (Date.now() - fs.statSync(file).mtimeMs > LOCK_MAX_AGE_MS) return true;
    return pid === process.pid ? !held.has(name) : !isAlive(pid);
  } catch {
    return false; // just given back
  }
}
