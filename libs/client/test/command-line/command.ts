import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { programArgs } from '@fibre/testing/processes';
import { run } from '../../src/cli/run.js';
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

/** Starts the command as a process. */
export function startFibre(args: readonly string[], environment: Record<string, string>, descriptor3?: number) {
  const { PATH, HOME, TMPDIR } = process.env;
  const main = join(WORKSPACE, 'libs/client/src/cli/main.ts');
  return spawn(process.execPath, [...programArgs(main), ...args], {
    cwd: WORKSPACE,
    env: { PATH, HOME, TMPDIR, ...environment },
    stdio: ['pipe', 'pipe', 'pipe', descriptor3],
  }) as ChildProcessWithoutNullStreams;
}

/** Runs the command to completion. */
export async function fibre(
  args: readonly string[],
  env: Record<string, string>,
  input = '',
  signal: AbortSignal = new AbortController().signal,
): Promise<Ran> {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const said = Promise.all([text(stdout), text(stderr)]);
  stdin.end(input);
  const code = await run(args, { env, stdin, stdout, stderr, signal });
  stdout.end();
  stderr.end();
  const [whole, complaints] = await said;
  return { code, stdout: whole, stderr: complaints };
}

/** Runs the command to completion as a process. */
export async function fibreProcess(args: readonly string[], environment: Record<string, string>, input = ''): Promise<Ran> {
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
