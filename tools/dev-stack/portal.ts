import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { WORKSPACE } from '../workspace.js';

const PORTAL = join(WORKSPACE, 'apps/portal');
const BUILT = join(PORTAL, 'dist/index.html');
/** What the built portal is made of. */
const SOURCES = ['src', 'public', 'index.html', 'vite.config.ts', 'package.json', '../../package-lock.json'];

/** Builds the portal for coverage-service to serve, unless it is as new as its sources. Without it the services are of use as well. */
export async function buildPortal(print: (line: string) => void): Promise<void> {
  const newest = Math.max(...(await Promise.all(SOURCES.map((name) => lastChange(join(PORTAL, name))))));
  if ((await lastChange(BUILT)) > newest) return;
  const vite = spawn('npm', ['run', '--silent', 'build', '--', '--logLevel', 'error'], {
    cwd: PORTAL,
    stdio: ['ignore', 'pipe', 'inherit'],
    shell: process.platform === 'win32',
  });
  const [said] = await Promise.all([text(vite.stdout), once(vite, 'exit')]);
  if (vite.exitCode !== 0) print(`portal | could not be built: ${said.trim() || `exit code ${vite.exitCode}`}`);
}

/** Of a file, or of the youngest in a folder; of the folder itself when one has gone. */
async function lastChange(path: string): Promise<number> {
  const own = await stat(path).catch(() => undefined);
  if (!own?.isDirectory()) return own?.mtimeMs ?? 0;
  const entries = await readdir(path, { recursive: true });
  const times = await Promise.all(entries.map(async (entry) => (await stat(join(path, entry))).mtimeMs));
  return Math.max(own.mtimeMs, ...times);
}
