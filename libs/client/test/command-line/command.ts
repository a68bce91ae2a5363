import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { programArgs } from '@fibre/testing/processes';
import { type Stack, stack, WORKSPACE } from '../stack.js';

export interface Ran {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** The command's settings, as a script would set them. */
export const settings = ({ coverageUrl, eventsUrl, issuer }: Stack = stack, id = 'ano-demo') => ({
  FIBRE_COVERAGE_URL: coverageUrl,
  FIBRE_EVENTS_URL: eventsUrl,
  FIBRE_ISSUER: issuer,
  FIBRE_CLIENT_ID: id,
  FIBRE_CLIENT_SECRET: `${id}-secret`,
});

/** Starts the real command. */
export function startFibre(args: readonly string[], environment: Record<string, string>, descriptor3?: number) {
  const { PATH, HOME, TMPDIR } = process.env;
  const main = join(WORKSPACE, 'libs/client/src/cli/main.ts');
  return spawn(process.execPath, [...programArgs(main), ...args], {
    cwd: WORKSPACE,
    env: { PATH, HOME, TMPDIR, ...environment },
    stdio: ['pipe', 'pipe', 'pipe', descriptor3],
  }) as ChildProcessWithoutNullStreams;
}

/** Runs the real command to completion. */
export async function fibre(args: readonly string[], environment: Record<string, string>, input = ''): Promise<Ran> {
  const child = startFibre(args, environment);
  // A command that has failed no longer reads its input.
  child.stdin.on('error', () => undefined).end(input);
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null]>,
  ]);
  return { code, stdout, stderr };
}
