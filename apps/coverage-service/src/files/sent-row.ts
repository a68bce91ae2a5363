import { Problem, type ProblemOptions, shortName } from '@fibre/problems';

/** Values by column name. */
export type Fields = Record<string, unknown>;

/** A fault in a row. */
export interface RowFault {
  /** Name of the column; absent if the whole row is wrong. */
  readonly column?: string;
  readonly detail: string;
}

/** A row of a file before validation. */
export interface SentRow {
  /** Line number, or for GeoJSON the number of the feature; both start at 1. */
  readonly place: number;
  /** The row's last line, if it has several. */
  readonly end?: number;
  readonly fields: Fields;
  /** The row as sent: the cells of a table, or JSON on one line. Text that isn't JSON becomes a JSON string. */
  readonly sent: readonly string[] | string;
  /** Why the row cannot be validated. */
  readonly fault?: RowFault;
  /** What is wrong with single columns; the others can still be validated. */
  readonly faults?: readonly RowFault[];
}

export const faultText = ({ column, detail }: RowFault): string => (column === undefined ? detail : `${column} ${detail}`);

/** A fault for each column name that occurs more than once. */
export function repeated(names: readonly string[]): RowFault[] {
  const [seen, again] = [new Set<string>(), new Set<string>()];
  for (const name of names) (seen.has(name) ? again : seen).add(name);
  return [...again].map((name) =>
    name === '' ? { detail: 'several columns have no name' } : { column: shortName(name), detail: 'is repeated in the header' },
  );
}

/** Maximum length of a row in characters. The longest valid row has about 6,000 bytes. */
export const MAX_ROW_LENGTH = 65_536;

/** Where something is in a file. */
export interface FilePlace {
  readonly line?: number;
  readonly feature?: number;
}

/** The file cannot be read beyond this point. */
export const unreadableFile = (detail: string, where: FilePlace = {}, hint?: string): Problem =>
  new Problem(400, 'malformed-request', 'The request cannot be parsed', {
    detail: `The file ${detail}${Object.entries(where)
      .map(([unit, at]) => `, ${unit} ${at}`)
      .join('')}.`,
    hint,
    extensions: { errors: [{ ...where, detail }] },
  });

/** The file is readable, but its header or enclosing structure is invalid, so every row is rejected. */
export class RefusedFile extends Error {
  override readonly name = 'RefusedFile';

  constructor(
    readonly faults: readonly RowFault[],
    /** The line that has all these faults. */
    readonly line?: number,
  ) {
    super('the file is rejected');
  }
}

/** Maximum number of faults in a response. */
export const MAX_FAULTS = 1_000;
/** Maximum number of faults that `detail` repeats. */
const MAX_IN_DETAIL = 3;

export const sentence = (faults: readonly string[]): string =>
  `${faults.slice(0, MAX_IN_DETAIL).join('; ')}${faults.length > MAX_IN_DETAIL ? '; and more' : ''}`;

/**
 * Turns a {@link RefusedFile} into a problem; other errors are returned unchanged.
 *
 * @param rejected makes the problem
 */
export function fileProblem(error: unknown, rejected: (options: ProblemOptions) => Problem): unknown {
  if (!(error instanceof RefusedFile)) return error;
  const { faults, line } = error;
  const errors = faults.slice(0, MAX_FAULTS).map(({ column, detail }) => ({ line, column, detail }));
  return rejected({ detail: `The file cannot be used: ${sentence(faults.map(faultText))}.`, extensions: { errors } });
}
