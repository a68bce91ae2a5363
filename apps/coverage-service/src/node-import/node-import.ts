import type { RowFault } from '../files/sent-row.js';

/** What a row number counts: lines, or the features of a GeoJSON file; both are counted from 1. */
export type RowUnit = 'line' | 'feature';

/** A {@link RowFault} with the number of its line or feature. */
export interface PlacedFault extends RowFault {
  readonly place: number;
}

/** What happened to the rows of a file, or would have happened if the import had not been rejected. */
export interface ImportReport {
  readonly rows: number;
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly refused: number;
  readonly unit: RowUnit;
  /** The first faults, in file order. */
  readonly faults: readonly PlacedFault[];
  /** Reading stopped at the 10,000th faulty row. */
  readonly stopped?: true;
}

/** Number of faulty rows at which reading stops. */
export const MAX_FAULTY_ROWS = 10_000;
