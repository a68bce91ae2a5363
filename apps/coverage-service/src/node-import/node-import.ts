import type { RowFault } from '../import-files/sent-row.js';

/** Unit of places in a file: lines, or features of a GeoJSON file; both count from 1. */
export type RowPlace = 'line' | 'feature';

/** A {@link RowFault} with its place. */
export interface PlacedFault extends RowFault {
  readonly place: number;
}

/** What happened to the rows of a file, or would have happened if the import were not rejected. */
export interface ImportCounts {
  readonly rows: number;
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly refused: number;
}

/** {@link ImportCounts} with the first faults, in file order. */
export interface ImportReport extends ImportCounts {
  readonly place: RowPlace;
  readonly faults: readonly PlacedFault[];
  /** Reading stopped at the 10,000th faulty row. */
  readonly stopped?: true;
}

/** Number of faulty rows at which reading stops. */
export const MAX_FAULTY_ROWS = 10_000;
