/** Values by the name of their column. */
export type Fields = Record<string, unknown>;

/** One thing that is wrong with a row. */
export interface RowFault {
  /** Name of the column; absent when the fault concerns the whole row. */
  readonly column?: string;
  readonly detail: string;
}

/** A row of a file before its values are validated. */
export interface SentRow {
  /** Line of the file, or for GeoJSON the feature; both count from 1. */
  readonly place: number;
  readonly fields: Fields;
  /** Why the row cannot be validated at all. */
  readonly fault?: RowFault;
}

/** Longest row of a file. The longest valid one has about 6,000 bytes. */
export const MAX_ROW_LENGTH = 65_536;

/** The file cannot be read beyond this place. */
export class UnreadableFile extends Error {
  override readonly name = 'UnreadableFile';

  constructor(
    readonly detail: string,
    readonly where: { readonly line?: number; readonly feature?: number } = {},
    readonly hint?: string,
  ) {
    super(detail);
  }
}

/** The file can be read, but its header or its frame is refused, and with it every row. */
export class RefusedFile extends Error {
  override readonly name = 'RefusedFile';

  constructor(
    readonly faults: readonly RowFault[],
    /** Of all the faults. */
    readonly line?: number,
  ) {
    super('the file is refused');
  }
}
