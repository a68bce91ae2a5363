import { type Context, type Flags, parameters } from '../shared/command.js';
import { UsageError } from '../shared/exit-codes.js';
import { complain, print, printRecords } from '../shared/output.js';
import { connect } from '../shared/settings.env.js';
import { ADDRESS_FLAGS, SEARCH_FLAGS, searchFile } from './search-file.js';

const COLUMNS = [
  'distance',
  'quality',
  'address',
  'token',
  'technology',
  'status',
  'available_from',
  'download_mbps',
  'upload_mbps',
  'units',
  'units_connected',
  'center',
  'tenant',
  'node_id',
];

export async function search(center: string | undefined, { file, address, words, ...flags }: Flags, context: Context): Promise<void> {
  if ([center, file, address, words].filter((place) => place !== undefined).length !== 1)
    throw new UsageError('Give a center, --file, --address or --words.');
  if (file !== undefined) return searchFile(file, flags, context);
  const { coverage } = connect(context, flags, 'coverageUrl');
  const { signal } = context;
  const [found, where] =
    address !== undefined
      ? [coverage.searchAddress(address, parameters(flags, ADDRESS_FLAGS), { signal }), 'at this address']
      : words !== undefined
        ? [coverage.searchAddresses(words, parameters(flags, ADDRESS_FLAGS), { signal }), 'has these words in its address']
        : [coverage.search({ center: center!, ...parameters(flags, SEARCH_FLAGS) }, { signal }), 'within the radius'];
  const { data: results, hasMore } = await found.withResponse();
  await printRecords(context, results, flags, COLUMNS);
  if (results.length === 0 && !flags.json) await print(context, `No production node ${where}.`);
  if (hasMore) complain(context, words === undefined ? 'this address has more nodes' : 'there may be others, or better ones: add a word');
}
