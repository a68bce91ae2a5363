import { CommanderError } from 'commander';
import { AbortedError, ApiError, FibreError, TokenError, TooManyRowsError } from '../../index.js';

/** Exit codes of the command. */
export const EXIT = {
  done: 0,
  /** A row, an event, the request or the client was rejected. */
  refused: 1,
  /** The command line, a setting or a local file is invalid. */
  usage: 2,
  /** No response, or the service cannot handle the request now: try again later. */
  unavailable: 3,
  /** A bug in the command. */
  defect: 70,
  /** Ctrl-C; SIGTERM is 143. */
  interrupted: 130,
  terminated: 143,
} as const;

/** An invalid command line, setting or file. */
export class UsageError extends Error {}

/** The command has finished and reports what was rejected. */
export class Refused extends Error {}

export function exitCodeOf(error: unknown): number | undefined {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
  if (error instanceof Refused || error instanceof TokenError) return EXIT.refused;
  if (error instanceof TooManyRowsError) return EXIT.usage;
  if (error instanceof ApiError) return error.status >= 500 || [408, 429].includes(error.status) ? EXIT.unavailable : EXIT.refused;
  if (error instanceof AbortedError) return error.cause === 'SIGTERM' ? EXIT.terminated : EXIT.interrupted;
  if (error instanceof FibreError) return EXIT.unavailable;
  // ENOENT and similar codes.
  if (error instanceof UsageError || (error as NodeJS.ErrnoException).syscall !== undefined) return EXIT.usage;
  return undefined;
}
