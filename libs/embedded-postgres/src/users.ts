import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { isAlive } from './server-process.js';

/** One user of a server: a file named `<process id>.<uuid>` beside its data. */
export interface User {
  /** Signs off. True when nobody else who lives uses the server: the last one stops it. */
  leave(): boolean;
  /** False after `leave()` or `signOffUsers()`. */
  isPresent(): boolean;
}

/** Signs on as a user of the server of `root`; two services, or a service and its migration, may share one server. */
export function joinUsers(root: string): User {
  const directory = usersOf(root);
  const file = path.join(directory, `${process.pid}.${randomUUID()}`);
  fs.mkdirSync(directory, { recursive: true });
  fs.writeFileSync(file, '');
  return {
    leave() {
      fs.rmSync(file, { force: true });
      return others(directory).length === 0;
    },
    isPresent: () => fs.existsSync(file),
  };
}

/** Signs off every user of the server of `root`, so that none of them starts it again. */
export function signOffUsers(root: string): void {
  fs.rmSync(usersOf(root), { recursive: true, force: true });
}

const usersOf = (root: string): string => path.join(root, 'users');

/** Whoever was killed could not sign off, so look whether they live. */
function others(directory: string): string[] {
  if (!fs.existsSync(directory)) return [];
  return fs.readdirSync(directory).filter((name) => {
    if (isAlive(Number(name.split('.')[0]))) return true;
    fs.rmSync(path.join(directory, name), { force: true });
    return false;
  });
}
