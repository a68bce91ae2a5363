import { execFile, type ExecFileOptions } from 'node:child_process';
import { promisify } from 'node:util';

/** What a program has said, and how it ended. */
export interface Outcome {
  readonly code: number;
  readonly said: string;
}

export async function run(command: string, args: string[], options: ExecFileOptions): Promise<Outcome> {
  const ended = promisify(execFile)(command, args, { ...options, maxBuffer: 1 << 26, encoding: 'utf8' });
  return ended.then(
    ({ stdout, stderr }) => ({ code: 0, said: stdout + stderr }),
    ({ code, stdout, stderr, message }: { code: number; stdout?: string; stderr?: string; message: string }) => ({
      code: typeof code === 'number' ? code : -1,
      said: (stdout ?? '') + (stderr ?? message),
    }),
  );
}

export async function must(outcome: Promise<Outcome>): Promise<void> {
  const { code, said } = await outcome;
  if (code !== 0) throw new Error(said);
}
