import fs from 'node:fs';
import path from 'node:path';
import { isAlive } from './server-process.js';

/**
 * Makes this process the owner of a server's folder until it exits or calls the returned function.
 *
 * @throws Error if another living process is the owner
 */
export function own(root: string): () => void {
  const file = path.join(root, 'owner');
  for (;;) {
    try {
      fs.writeFileSync(file, String(process.pid), { flag: 'wx' });
      break;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const owner = Number(fs.readFileSync(file, 'utf8'));
    if (owner === process.pid) break;
    if (owner && isAlive(owner))
      throw new Error(`process ${owner} uses the database in ${root}: stop it, or remove ${file} if it is another program`);
    fs.rmSync(file, { force: true });
  }
  return () => fs.rmSync(file, { force: true });
}
