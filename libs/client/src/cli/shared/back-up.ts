import { statSync } from 'node:fs';
import { type Collection, fileFormat, type FibreClient } from '../../index.js';
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
  const query = { format: fileFormat(output).format, ...filters };
  await save(output, context, (onProgress) => coverage.nodes.export(query, { signal: context.signal, onProgress }));
}
