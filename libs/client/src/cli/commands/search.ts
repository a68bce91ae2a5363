import { type CommonFlags, type Context, parameters } from '../shared/command.js';
import { UsageError } from '../shared/exit-codes.js';
import { print, printJson, table } from '../shared/output.js';
import { connect } from '../shared/settings.env.js';
import { SEARCH_FLAGS, searchFile, type SearchFileFlags } from './search-file.js';

const COLUMNS = [
  'distance',
  'quality',
  'token',
  'technology',
  'status',
  'available_from',
  'download_mbps',
  'upload_mbps',
  'units',
  'center',
  'tenant',
  'node_id',
];

export type SearchFlags = CommonFlags & Partial<SearchFileFlags>;

export async function search(center: string | undefined, { file, ...flags }: SearchFlags, context: Context): Promise<void> {
  if ((center === undefined) === (file === undefined)) throw new UsageError('Give either a center or --file.');
  if (center === undefined) return searchFile({ ...flags, file: file! }, context);
  const query = { center, ...parameters(flags, SEARCH_FLAGS) };
  const results = await connect(flags, 'coverageUrl').coverage.search(query, { signal: context.signal });
  if (flags.json) for (const result of results) await printJson(result);
  else await print(results.length > 0 ? table(results, COLUMNS) : 'No production node within the radius.');
}
