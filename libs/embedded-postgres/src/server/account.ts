import { spawnSync } from 'node:child_process';
import fs from 'node:fs';

/** The operating system user for the server, as spawn options; without a uid, it is the current user. */
export interface Account {
  uid?: number;
  gid?: number;
}

/** Whether we are root; PostgreSQL refuses to run as root. */
export const isSuperuser = process.getuid?.() === 0;

/**
 * Chooses the user that runs the server on `dataDir`: the current user, unless that is root. Root uses the user that owns existing data, or
 * `nobody`, which exists on every Unix, so that no user has to be created.
 *
 * @throws Error if there is no such user
 */
export function serverAccount(dataDir?: string): Account {
  if (!isSuperuser) return {};
  const owner = dataDir === undefined ? undefined : fs.statSync(dataDir, { throwIfNoEntry: false });
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  const users = fs
    .readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  const nobody = users.find(([name]) => name === 'nobody');
  if (!nobody) {
    throw new Error('PostgreSQL does not run as root and there is no user "nobody": start as an ordinary user or set DATABASE_URL');
  }
  // Unsigned, because macOS reports nobody as -2.
  return { uid: Number(nobody[2]) >>> 0, gid: Number(nobody[3]) >>> 0 };
}

/** Whether the account can enter the directory. Asks the system, because file modes say nothing about ACLs and mounts. */
export function canEnter(account: Account, directory: string): boolean {
  if (account.uid === undefined) return true;
  return spawnSync('/bin/sh', ['-c', 'cd "$0"', directory], { ...account, cwd: '/', stdio: 'ignore' }).status === 0;
}
