import { CommanderError } from 'commander';
import { AbortedError, ApiError, FibreError, TokenError } from '../../index.js';

/** What the exit code of the command says. */
export const EXIT = {
  done: 0,
  /** A row, an event, the request or the client was refused. */
  refused: 1,
  /** The command line, a setting or a file of this machine is wrong. */
  usage: 2,
  /** No answer, or the service cannot do it now: the same again later. */
  unavailable: 3,
  /** A defect of the command. */
  defect: 70,
  /** By Ctrl-C; by SIGTERM it is 143. */
  interrupted: 130,
  terminated: 143,
} as const;

/** What is wrong with the command line, the settings or a file. */
export class UsageError extends Error {}

/** The command came to its end and says itself what was refused. */
export class Refused extends Error {}

export function exitCodeOf(error: unknown): number | undefined {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
  if (error instanceof Refused || error instanceof TokenError) return EXIT.refused;
  if (error instanceof ApiError) return error.status >= 500 || [408, 429].includes(error.status) ? EXIT.unavailable : EXIT.refused;
  if (error instanceof AbortedError) return error.cause === 'SIGTERM' ? EXIT.terminated : EXIT.interrupted;
  if (error instanceof FibreError) return EXIT.unavailable;
  // ENOENT and its like.
  if (error instanceof UsageError || (error as NodeJS.ErrnoException).syscall !== undefined) return EXIT.usage;
  return undefined;
}
