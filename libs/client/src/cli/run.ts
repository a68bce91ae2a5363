import { CommanderError } from 'commander';
import { AbortedError, ApiError, ConnectionError, TimeoutError } from '../index.js';
import { type Context } from './shared/command.js';
import { EXIT, exitCodeOf } from './shared/exit-codes.js';
import { complain, fault } from './shared/output.js';
import { program } from './program.js';

/** Runs the command with these arguments. @returns its exit code */
export async function run(args: readonly string[], context: Context): Promise<number> {
  try {
    await program(context).parseAsync(args, { from: 'user' });
    return EXIT.done;
  } catch (error) {
    return fail(error, context);
  }
}

function fail(cause: unknown, context: Context): number {
  // The reader has closed the pipe, as in `fibre export | head`.
  if ((cause as NodeJS.ErrnoException).code === 'EPIPE') return EXIT.done;
  const { signal, stdin } = context;
  const error = signal.aborted ? new AbortedError('Interrupted', { cause: signal.reason }) : cause;
  const code = exitCodeOf(error);
  // Otherwise a command that reads stdin would keep waiting.
  stdin.destroy();
  if (error instanceof CommanderError) return code ?? EXIT.defect;
  if (error instanceof AbortedError) complain(context, context.leaves ? `Interrupted: ${context.leaves()}` : 'Interrupted');
  else complain(context, code === undefined ? String((error as Error).stack) : (error as Error).message);
  if ((error instanceof ConnectionError || error instanceof TimeoutError) && context.leaves) complain(context, `  ${context.leaves()}`);
  if (error instanceof ApiError) {
    for (const part of error.errors) if (!error.detail.includes(part.detail)) complain(context, `  ${fault(part)}`);
    if (error.hint) complain(context, `  ${error.hint}`);
    if (error.requestId && error.status >= 500) complain(context, `  request ${error.requestId}`);
  }
  return code ?? EXIT.defect;
}
