import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { type Account } from './account.js';
import { serverEnvironment } from '../embedded-postgres.env.js';

const PLATFORMS: Partial<Record<NodeJS.Platform, string>> = { linux: 'linux', darwin: 'darwin', win32: 'windows' };
const SUFFIX = process.platform === 'win32' ? '.exe' : '';
const STAGING = '/var/tmp';

/** Absolute paths of the programs, and the server's major version. */
export interface Binaries {
  initdb: string;
  postgres: string;
  major: string;
}

/**
 * Finds the programs of the platform package; if `account` cannot run them there, copies them to a folder where it can.
 *
 * @throws Error that names DATABASE_URL if there are no programs for this platform or they do not run on it
 */
export function findBinaries(account: Account): Binaries {
  const native = packageDirectory();
  linkLibraries(native);
  const directory = version(native, account) ? native : stage(native, account);
  const major = version(directory, account);
  if (!major) throw unavailable(`${directory} does not run here`);
  return { initdb: program(directory, 'initdb'), postgres: program(directory, 'postgres'), major };
}

function packageDirectory(): string {
  const name = `@embedded-postgres/${PLATFORMS[process.platform] ?? process.platform}-${process.arch}`;
  for (const base of createRequire(import.meta.url).resolve.paths(name) ?? []) {
    const directory = path.join(base, name, 'native');
    if (fs.existsSync(path.join(directory, 'bin'))) return fs.realpathSync(directory);
  }
  throw unavailable(`the package ${name} is not installed`);
}

function unavailable(reason: string): Error {
  return new Error(`no embedded PostgreSQL for ${process.platform}-${process.arch} (${reason}): set DATABASE_URL to an existing server`);
}

/** Creates the library symlinks that the package's postinstall script would create, because npm may be told not to run such scripts. */
function linkLibraries(native: string): void {
  const list = path.join(native, 'pg-symlinks.json');
  if (!fs.existsSync(list)) return;
  for (const { source, target } of JSON.parse(fs.readFileSync(list, 'utf8')) as { source: string; target: string }[]) {
    const link = path.join(native, '..', target);
    try {
      fs.symlinkSync(path.relative(path.dirname(link), path.join(native, '..', source)), link);
    } catch (error) {
      if (!fs.existsSync(link)) throw error;
    }
  }
}

/**
 * Copies the programs for an account that cannot enter our node_modules (root's home has mode 0700). A single rename publishes the copy, so
 * that no process runs a partial copy, and only a copy made by root is trusted.
 */
function stage(native: string, account: Account): string {
  if (account.uid === undefined) throw unavailable(`${native} does not run here`);
  const { version: release } = JSON.parse(fs.readFileSync(path.join(native, '..', 'package.json'), 'utf8')) as { version: string };
  const target = path.join(STAGING, `embedded-postgres-${release}-${process.arch}`);
  if (!fs.existsSync(target)) {
    const copy = fs.mkdtempSync(`${target}.`);
    fs.cpSync(native, copy, { recursive: true, verbatimSymlinks: true });
    fs.chmodSync(copy, 0o755);
    try {
      fs.renameSync(copy, target);
    } catch {
      fs.rmSync(copy, { recursive: true, force: true }); // another process was faster
    }
  }
  const made = fs.lstatSync(target);
  if (made.uid !== 0 || !made.isDirectory() || (made.mode & 0o022) !== 0) throw new Error(`${target} was not made by root: remove it`);
  return target;
}

function program(directory: string, name: string): string {
  return path.join(directory, 'bin', name + SUFFIX);
}

function version(directory: string, account: Account): string | undefined {
  const run = spawnSync(program(directory, 'postgres'), ['--version'], { ...account, env: serverEnvironment, cwd: '/', encoding: 'utf8' });
  return run.status === 0 ? /\(PostgreSQL\) (\d+)/.exec(run.stdout)?.[1] : undefined;
}
