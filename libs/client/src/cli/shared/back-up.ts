import { statSync } from 'node:fs';
import { type Collection, type FibreClient } from '../../index.js';
import { type Context } from './command.js';
import { UsageError } from './exit-codes.js';
import { save } from './save.js';

/**
 * Exports the nodes that a command is about to change. Never replaces a file: if the command is run again, the file with that name has
 * the nodes from before the first run.
 */
export async function backUp(
  output: string,
  { coverage }: FibreClient,
  filters: { relation_id: string; target?: Collection },
  context: Context,
): Promise<void> {
  if (output === '-') throw new UsageError('--backup needs the name of a file');
  if (statSync(output, { throwIfNoEntry: false })) throw new UsageError(`${output} exists; choose another name for the backup`);
  await save({ output }, context, (options, format) => coverage.nodes.export({ format, ...filters }, options));
}
