import type { PlaceOptions } from '@fibre/client';
import { fieldsOf } from '../files/table/guess.js';
import { type Heading, headingOf } from '../files/table/heading.js';
import { NO_PREVIEW, type Preview, previewOf } from '../files/table/preview.js';
import { type Source, textOf } from '../files/table/source.js';
import { isChangeable, isEmpty, NO_ROW, parseTable, withColumns } from '../files/table/table-file.js';

/** What a column may say about where an address is. */
export const PLACE_FIELDS = ['latitude', 'longitude', 'center', 'address_id'] as const;

/** Whether these fields are enough to know where an address is. */
const arePlaces = (fields: readonly string[]): boolean =>
  fields.includes('center') || fields.includes('address_id') || (fields.includes('latitude') && fields.includes('longitude'));

export interface Chosen {
  /** Of this choice, since a file may be chosen again after corrections. */
  readonly id: string;
  readonly source: Source;
  readonly preview: Preview;
  /** Absent if the portal cannot rename the columns, or need not. */
  readonly heading: Heading | undefined;
  /** What each column says about where an address is. */
  readonly fields: Readonly<Record<string, string>>;
}
export const isUnclear = ({ heading, fields }: Chosen): boolean => heading !== undefined && !arePlaces(Object.values(fields));

/** Reads which columns a file has, and guesses which of them say where the addresses are. */
export async function chosenFile(source: Source): Promise<Chosen> {
  const id = crypto.randomUUID();
  const preview = isChangeable(source) ? await previewOf(source) : NO_PREVIEW;
  const heading = headingOf(preview.filled, {});
  const { columns, row } = heading;
  const guesses = fieldsOf(columns, {});
  const fieldOf = (name: string): string => PLACE_FIELDS.find((field) => field === (guesses[name] ?? name)) ?? '';
  const fields = Object.fromEntries(columns.map((name) => [name, fieldOf(name)]));
  const isAsItIs = arePlaces(columns) && row.line === preview.filled[0]?.line;
  return { id, source, preview, heading: preview.filled.length === 0 || isAsItIs ? undefined : heading, fields };
}

/** What is sent: the file with the names of columns that the service knows. */
export async function sentOf({ source, preview, heading, fields }: Chosen, signal: AbortSignal): Promise<[Blob, PlaceOptions]> {
  const { file, format, gzip } = source;
  // The service can only break the connection if it finds bytes that are not UTF-8 after it has begun to answer.
  if (isChangeable(source)) await textOf(source);
  if (!heading) return [file, { format, gzip, signal }];
  const names = heading.columns.map((name) => fields[name] || name);
  return [withColumns(preview.table, heading.row, names), { format, gzip: false, signal }];
}

/** What the service answered as a file, with the person's own names of the columns. */
export async function withOwnNames({ source, heading, fields }: Chosen, found: Blob): Promise<Blob> {
  if (!heading) return found;
  const back = (column: string): string => heading.columns.find((name) => fields[name] === column) ?? column;
  const table = await parseTable(await found.text(), source.format);
  const row = table.rows.find((one) => !isEmpty(one)) ?? NO_ROW;
  return withColumns(
    table,
    row,
    row.cells.map((name) => back(name.trim())),
  );
}
