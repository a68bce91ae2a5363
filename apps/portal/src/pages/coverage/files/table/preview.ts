import { Refusal } from '../../../../refusal.js';
import { type Source, textOf } from './source.js';
import { isChangeable, isEmpty, isTable, parseTable, type Row, type Table } from './table-file.js';

/** Number of characters read from the start of a file that is too large to be rewritten. */
const HEAD = 65_536;
export const SHOWN_ROWS = 5;

/** What the portal has read of a table. */
export interface Preview {
  readonly table: Table;
  /** The rows with anything in them, of the whole file if it can be rewritten, otherwise of its beginning. */
  readonly filled: readonly Row[];
  /** Why the file cannot be imported, whatever its columns mean. */
  readonly error?: Refusal;
}
export const NO_PREVIEW: Preview = { table: { separator: ',', rows: [] }, filled: [] };

/** Reads a table; the preview of another file is empty. If the portal cannot read it, the preview says why. */
export async function previewOf(source: Source): Promise<Preview> {
  if (!isTable(source)) return checked(source);
  try {
    if (isChangeable(source)) return previewIn(await parseTable(await textOf(source), source.format));
    return await beginningOf(source);
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'file-refused') return NO_PREVIEW;
    return { ...(await beginningOf(source).catch(() => NO_PREVIEW)), error };
  }
}

const previewIn = (table: Table): Preview => ({ table, filled: table.rows.filter((row) => !isEmpty(row)) });

async function beginningOf(source: Source): Promise<Preview> {
  const head = await textOf(source, HEAD);
  // The last row may be cut off.
  const whole = head.length < HEAD ? head : head.slice(0, head.lastIndexOf('\n') + 1 || HEAD);
  return previewIn(await parseTable(whole, source.format, { skip_records_with_error: true }));
}

/** Whether the beginning of another file can be read. */
async function checked(source: Source): Promise<Preview> {
  try {
    await textOf(source, HEAD);
    return NO_PREVIEW;
  } catch (error) {
    return error instanceof Refusal && error.code === 'file-refused' ? { ...NO_PREVIEW, error } : NO_PREVIEW;
  }
}
