import { fileFormat, type FileFormat } from '../../index.js';
import { type CommonFlags, type Context, parameters } from '../shared/command.js';
import { save } from '../shared/save.js';
import { connect } from '../shared/settings.env.js';

export interface ExportFlags extends CommonFlags {
  format?: FileFormat;
  output?: string;
}

const FILTERS = [
  'target',
  'relation_id',
  'token',
  'technology',
  'status',
  'customer_reference',
  'available_until',
  'modified_since',
] as const;

export async function exportNodes({ output, ...flags }: ExportFlags, context: Context): Promise<void> {
  const query = { format: flags.format ?? fileFormat(output ?? '').format, ...parameters(flags, FILTERS) };
  const { nodes } = connect(flags, 'coverageUrl').coverage;
  await save(output, context, (onProgress) => nodes.export(query, { signal: context.signal, onProgress }));
}
