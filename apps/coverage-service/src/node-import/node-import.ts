import type { CreateAccessNodeRequest } from '../access-nodes/access-node.requests.js';

/** Where in a file a row stands: in which line, or for GeoJSON which feature; both count from 1. */
export type RowPlace = 'line' | 'feature';

/** One thing that is wrong with a row. */
export interface RowFault {
  /** Name of the column; absent when it is the row as a whole. */
  readonly column?: string;
  readonly detail: string;
}

/** A {@link RowFault} and where it is. */
export interface PlacedFault extends RowFault {
  readonly place: number;
}

/** Values by the name of their column. */
export type Fields = Record<string, unknown>;

/** What a file says about one node, before any rule has been asked. */
export interface SentRow {
  readonly place: number;
  readonly fields: Fields;
  /** What is wrong with the row before its fields are looked at. */
  readonly fault?: RowFault;
}

/** A row that passes the rules of a creation. */
export interface GoodRow {
  readonly place: number;
  readonly node: CreateAccessNodeRequest;
}

/** What became of the rows of a file. */
export interface ImportCounts {
  readonly rows: number;
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly refused: number;
}

/** {@link ImportCounts} with the first faults, by place. */
export interface ImportReport extends ImportCounts {
  readonly place: RowPlace;
  readonly faults: readonly PlacedFault[];
}

/** Most faults that an answer names. */
export const MAX_FAULTS = 1_000;
/** Longest row of a file in bytes. The longest that is valid has some 6,000. */
export const MAX_ROW_BYTES = 65_536;

/** A file cannot be read on from this place. */
export class UnreadableFile extends Error {
  override readonly name = 'UnreadableFile';

  /** @param place line or feature, where it is known */
  constructor(
    readonly detail: string,
    readonly place?: number,
    readonly hint?: string,
  ) {
    super(detail);
  }
}

/** The header of a table names columns that there are not, or not those that are needed. */
export class BadHeader extends Error {
  override readonly name = 'BadHeader';

  constructor(readonly faults: readonly RowFault[]) {
    super('bad header');
  }
}
