import type { Center } from '../geography/center.js';
import { isObject } from '../files/json.js';
import type { Fields, SentRow } from '../files/sent-row.js';
import type { FileFormat } from '../files/file-formats.js';

/** The result of one row. */
export interface RowResult {
  /** Absent if the error ends the whole search. */
  readonly sent?: SentRow['sent'];
  readonly center?: Center;
  /** Each result as JSON, in order. */
  readonly results: readonly string[];
  readonly error?: string;
}

/** The columns of a table in the request; other formats have none. */
export interface Header {
  readonly names: readonly string[];
  readonly separator: string;
  /** The byte order mark, if the file has one; without it, Excel would not read the response as UTF-8 either. */
  readonly mark: string;
}

/** Writes a response in one format. */
export interface Writer {
  readonly begin: string;
  readonly record: (row: RowResult) => string;
  readonly end: string;
}

/** The columns of the results, which follow the columns of the request. */
export const RESULT_COLUMNS = [
  'rank',
  'node_id',
  'distance',
  'quality',
  'relation_id',
  'tenant',
  'token',
  'technology',
  'status',
  'available_from',
  'download_mbps',
  'upload_mbps',
  'address',
  'units_connected',
  'offer',
  'error',
];

export const WRITERS: Readonly<Record<FileFormat, (header: Header) => Writer>> = {
  csv: (header) => tableWriter(header, header.separator === '\t' ? ',' : header.separator, '\r\n'),
  tsv: (header) => tableWriter(header, '\t', '\n'),
  ndjson: (header) => ({
    begin: '',
    record: ({ sent, results, error }) => {
      const input = sent === undefined ? '' : `"input":${typeof sent === 'string' ? sent : JSON.stringify(recordOf(sent, header))},`;
      return `{${input}${error === undefined ? `"results":[${results.join()}]` : `"error":${JSON.stringify(error)}`}}\n`;
    },
    end: '',
  }),
  geojson: (header) => {
    let separator = '';
    const record = (row: RowResult): string => {
      const features = featuresOf(row, header).map((feature) => JSON.stringify(feature));
      const text = separator + features.join(',\n');
      separator = ',\n';
      return text;
    };
    return { begin: '{"type":"FeatureCollection","features":[\n', record, end: '\n]}\n' };
  },
};

function tableWriter({ names, mark }: Header, separator: string, lineEnd: string): Writer {
  const needsQuotes = new RegExp(`[${separator}"\r\n]`);
  const cell = (value: string | number = ''): string => {
    const text = String(value);
    return needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  const line = (cells: readonly (string | number | undefined)[]): string => cells.map(cell).join(separator) + lineEnd;
  return {
    begin: mark + line([...names, ...namesBeside(names)]),
    record: (row) => {
      const own = names.map((_name, index) => row.sent?.[index]);
      return resultsOf(row)
        .map((result) => line([...own, ...RESULT_COLUMNS.map((column) => result[column])]))
        .join('');
    },
    end: '',
  };
}

/** An object for each result, or one object with the error, if any. */
const resultsOf = ({ results, error }: RowResult): Record<string, string | number | undefined>[] =>
  results.length === 0 ? [{ error }] : results.map((json, index) => ({ ...(JSON.parse(json) as object), rank: index + 1 }));

/** Names for all {@link RESULT_COLUMNS}, changed where they would collide with `taken`. */
const namesBeside = (taken: readonly string[]): string[] =>
  RESULT_COLUMNS.map((column) => {
    let name = column;
    while (taken.includes(name)) name = `found_${name}`;
    return name;
  });

const recordOf = (cells: readonly string[], { names }: Header): object =>
  Object.fromEntries(names.map((name, index) => [name, cells[index] ?? '']));

function featuresOf(row: RowResult, header: Header): object[] {
  const { sent = [], center } = row;
  const input = (typeof sent === 'string' ? JSON.parse(sent) : recordOf(sent, header)) as unknown;
  const isFeature = isObject(input) && input['type'] === 'Feature';
  const geometry = center ? { type: 'Point', coordinates: [Number(center.longitude), Number(center.latitude)] } : null;
  const feature: Fields = isFeature ? input : { type: 'Feature', geometry, properties: input };
  const { properties: own, ...others } = feature;
  const properties = isObject(own) ? own : {};
  const names = namesBeside(Object.keys(properties));
  return resultsOf(row).map((result) => {
    const found = RESULT_COLUMNS.map((column, index) => [names[index]!, result[column]] as const);
    return { ...others, properties: { ...properties, ...Object.fromEntries(found) } };
  });
}
