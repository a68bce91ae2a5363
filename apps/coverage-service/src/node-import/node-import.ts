import type { RowFault } from '../import-files/sent-row.js';

/** What places in a file count: lines, or the features of a GeoJSON file; both from 1. */
export type RowPlace = 'line' | 'feature';

/** A {@link RowFault} and where it is. */
export interface PlacedFault extends RowFault {
  readonly place: number;
}

/** What became of the rows of a file; of those of a refused import, what would have become of them. */
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
  /** The file was not read beyond its 10,000th faulty row. */
  readonly stopped?: true;
}

/** Most faults that a response names. */
export const MAX_FAULTS = 1_000;
/** Faulty rows after which no more are read. */
export const MAX_FAULTY_ROWS = 10_000;
