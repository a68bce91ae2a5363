import { Refusal } from '../../../refusal.js';
import { type Source, textOf } from './source.js';
import { isEmpty, isTable, parseTable } from './table-file.js';

/** Number of characters read from the start of a file for the preview. */
const HEAD = 65_536;
export const SHOWN_ROWS = 5;

/** The columns of a table and its first rows, as many as there are in the part that is read. */
export interface Preview {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Why the file cannot be imported, whatever its columns mean. */
  readonly error?: Refusal;
}
export const NO_PREVIEW: Preview = { columns: [], rows: [] };

/**
 * A preview of the beginning of a table; that of another file is empty. If the portal cannot read the beginning, the preview is empty
 * too, and the service reports the error.
 */
export async function previewOf(source: Source): Promise<Preview> {
  try {
    const head = await textOf(source, HEAD);
    if (!isTable(source)) return NO_PREVIEW;
    // The last row may be cut off.
    const whole = head.length < HEAD ? head : head.slice(0, head.lastIndexOf('\n') + 1 || HEAD);
    const table = await parseTable(whole, source.format, { skip_records_with_error: true });
    const [columns = [], ...rows] = table.rows.filter((row) => !isEmpty(row)).map(({ cells }) => cells);
    return { columns: columns.map((name) => name.trim()), rows };
  } catch (error) {
    return error instanceof Refusal && error.code === 'file-refused' ? { ...NO_PREVIEW, error } : NO_PREVIEW;
  }
}
