import { type Context, type Flags, parameters } from '../shared/command.js';
import { UsageError } from '../shared/exit-codes.js';
import { print, printRecords } from '../shared/output.js';
import { connect } from '../shared/settings.env.js';
import { ADDRESS_FLAGS, SEARCH_FLAGS, searchFile } from './search-file.js';

const COLUMNS = [
  ...['distance', 'quality', 'address', 'token', 'technology', 'status', 'available_from'],
  ...['download_mbps', 'upload_mbps', 'units', 'units_connected', 'center', 'tenant', 'node_id'],
];

export async function search(center: string | undefined, { file, address, ...flags }: Flags, context: Context): Promise<void> {
  if ([center, file, address].filter((place) => place !== undefined).length !== 1)
    throw new UsageError('Give a center, --file or --address.');
  if (file !== undefined) return searchFile(file, flags, context);
  const { coverage } = connect(context, flags, 'coverageUrl');
  const { signal } = context;
  const results =
    address === undefined
      ? await coverage.search({ center: center!, ...parameters(flags, SEARCH_FLAGS) }, { signal })
      : await coverage.searchAddress(address, parameters(flags, ADDRESS_FLAGS), { signal });
  await printRecords(context, results, flags, COLUMNS);
  if (results.length === 0 && !flags.json)
    await print(context, `No production node ${address === undefined ? 'within the radius' : 'at this address'}.`);
}
