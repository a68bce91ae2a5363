#!/usr/bin/env node
import { CommanderError } from 'commander';
import { AbortedError, ApiError, ConnectionError, TimeoutError } from '../index.js';
import { type Context } from './shared/command.js';
import { EXIT, exitCodeOf } from './shared/exit-codes.js';
import { complain, fault } from './shared/output.js';
import { program } from './program.js';

const interruption = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  // With `once`, a second signal ends the process immediately.
  process.once(signal, () => interruption.abort(signal));
}
// The failed write itself reports the error.
process.stdout.on('error', () => undefined);

const context: Context = { signal: interruption.signal };
try {
  await program(context).parseAsync();
} catch (error) {
  fail(error);
}

function fail(cause: unknown): void {
  // The reader has closed the pipe, as in `fibre export | head`.
  if ((cause as NodeJS.ErrnoException).code === 'EPIPE') return;
  const error = interruption.signal.aborted ? new AbortedError('Interrupted', { cause: interruption.signal.reason }) : cause;
  const code = exitCodeOf(error);
  process.exitCode = code ?? EXIT.defect;
  // Otherwise a command that reads stdin would keep waiting.
  process.stdin.destroy();
  if (error instanceof CommanderError) return;
  if (error instanceof AbortedError) complain(context.leaves ? `Interrupted: ${context.leaves()}` : 'Interrupted');
  else complain(code === undefined ? String((error as Error).stack) : (error as Error).message);
  if ((error instanceof ConnectionError || error instanceof TimeoutError) && context.leaves) complain(`  ${context.leaves()}`);
  if (!(error instanceof ApiError)) return;
  for (const part of error.errors) if (!error.detail.includes(part.detail)) complain(`  ${fault(part)}`);
  if (error.hint) complain(`  ${error.hint}`);
  if (error.requestId && error.status >= 500) complain(`  request ${error.requestId}`);
}
