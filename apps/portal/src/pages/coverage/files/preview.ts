import type { FileFormat } from '@fibre/client';
import { Refusal } from '../../../api/refusal.js';
import { type Source, textOf } from './source.js';
import { isEmpty, parseTable } from './table-file.js';

/** Number of characters read from the start of a file for the preview. */
const HEAD = 65_536;
export const SHOWN_ROWS = 5;

/** The columns of a file and its first rows: of a table, as many as there are in the part that is read. */
export interface Preview {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Why the file cannot be imported, whatever its columns mean. */
  readonly error?: Refusal;
}
export const NO_PREVIEW: Preview = { columns: [], rows: [] };

/** A preview of the beginning of a file. If the portal cannot read the beginning, the preview is empty, and the service reports the error. */
export async function previewOf(source: Source): Promise<Preview> {
  try {
    const [columns = [], ...rows] = await READERS[source.format](await textOf(source, HEAD));
    return { columns: columns.map((name) => name.trim()), rows };
  } catch (error) {
    return error instanceof Refusal && error.code === 'file-refused' ? { ...NO_PREVIEW, error } : NO_PREVIEW;
  }
}

const rowsOf =
  (format: FileFormat) =>
  async (head: string): Promise<string[][]> => {
    // The last row may be cut off.
    const whole = head.length < HEAD ? head : head.slice(0, head.lastIndexOf('\n') + 1 || HEAD);
    const { rows } = await parseTable(whole, format, { skip_records_with_error: true });
    return rows.filter((row) => !isEmpty(row)).map(({ cells }) => [...cells]);
  };

const cellOf = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));
const objectsOf = (objects: readonly object[]): string[][] => {
  const columns = Object.keys(objects[0]!);
  return [columns, ...objects.map((one) => columns.map((name) => cellOf((one as Record<string, unknown>)[name])))];
};

const READERS: Record<FileFormat, (head: string) => string[][] | Promise<string[][]>> = {
  csv: rowsOf('csv'),
  tsv: rowsOf('tsv'),
  ndjson: (head) => {
    const lines = head.slice(0, head.lastIndexOf('\n')).split('\n').slice(0, SHOWN_ROWS);
    return objectsOf(lines.map((line) => JSON.parse(line) as object));
  },
  geojson: (head) => {
    const { features } = JSON.parse(head) as { features: { properties: object; geometry?: { coordinates?: number[] } }[] };
    return objectsOf(
      features
        .slice(0, SHOWN_ROWS)
        .map(({ properties, geometry }) => ({ center: geometry?.coordinates?.slice(0, 2).toReversed().join(', '), ...properties })),
    );
  },
};
