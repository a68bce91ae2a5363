import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { programArgs } from './service-process.js';

const WORKSPACE = join(import.meta.dirname, '../../../..');

/** Starts a command of a service on a database. @param source its file, such as `src/tenant.ts` */
export function startCommand(service: string, source: string, databaseUrl: string, args: readonly string[]): ChildProcess {
  const { PATH, HOME, TMPDIR } = process.env;
  return spawn(process.execPath, [...programArgs(source), ...args], {
    cwd: join(WORKSPACE, 'apps', service),
    env: { PATH, HOME, TMPDIR, DATABASE_URL: databaseUrl },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** @returns what the command has said, and its exit code */
export async function outcomeOf(command: ChildProcess): Promise<{ code: number | null; said: string }> {
  const [said, errors] = [text(command.stdout!), text(command.stderr!)];
  const [code] = (await once(command, 'exit')) as [number | null];
  return { code, said: (await said) + (await errors) };
}
