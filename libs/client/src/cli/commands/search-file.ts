import { type FileFormat } from '../../index.js';
import { type Context, type Flags, parameters } from '../shared/command.js';
import { Refused } from '../shared/exit-codes.js';
import { open } from '../shared/open.js';
import { save } from '../shared/save.js';
import { connect } from '../shared/settings.env.js';

export const ADDRESS_FLAGS = ['token', 'technology', 'status', 'available_until', 'connected', 'offer'] as const;
export const SEARCH_FLAGS = ['search_radius', 'limit', ...ADDRESS_FLAGS] as const;

/** Matches the end of a record that has no error. */
const GOOD_END: Record<FileFormat, RegExp> = {
  csv: /[,;]\r?$/,
  tsv: /\t$/,
  ndjson: /\]\}$/,
  geojson: /(?<!"(found_)*error":"([^"\\]|\\.)*"\}\},?)$/,
};

/** Searches each place in a file. A row with an error makes the command fail. */
export async function searchFile(file: string, flags: Flags, context: Context): Promise<void> {
  const { source, format, gzip } = await open(context, file, flags);
  const query = parameters(flags, SEARCH_FLAGS);
  const { coverage } = connect(context, flags, 'coverageUrl');
  const rows = { read: 0, faulty: 0 };
  await save(flags, context, async (options) =>
    (await coverage.searchFile(source, query, { ...options, format, gzip })).pipeThrough(counted(format, rows)),
  );
  if (rows.faulty > 0) throw new Refused(`${rows.faulty} of ${rows.read} rows have an error; see the "error" column or member`);
}

/** Counts the records that pass through. */
function counted(format: FileFormat, rows: { read: number; faulty: number }): TransformStream<Uint8Array, Uint8Array> {
  const decoder = new TextDecoder();
  const isTable = format === 'csv' || format === 'tsv';
  let [record, isHeader] = ['', isTable];
  const end = (): void => {
    const isFrame = isHeader || (format === 'geojson' && !/\}\},?$/.test(record));
    isHeader = false;
    if (!isFrame) rows.read++;
    if (!isFrame && !GOOD_END[format].test(record)) rows.faulty++;
    record = '';
  };
  const transform = (chunk: Uint8Array, controller: TransformStreamDefaultController<Uint8Array>): void => {
    controller.enqueue(chunk);
    const [first = '', ...lines] = decoder.decode(chunk, { stream: true }).split('\n');
    record += first;
    for (const line of lines) {
      // A line break in quotes is part of a cell.
      if (isTable && record.split('"').length % 2 === 0) record += '\n';
      else end();
      record += line;
    }
  };
  return new TransformStream({ transform });
}
