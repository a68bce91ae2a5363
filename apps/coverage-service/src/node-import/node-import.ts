import type { RowFault } from '../files/sent-row.js';

/** What a row number counts: lines, or the features of a GeoJSON file; both are counted from 1. */
export type RowUnit = 'line' | 'feature';

/** A {@link RowFault} with the number of its line or feature. */
export interface PlacedFault extends RowFault {
  readonly place: number;
}

/** A node that no row of a file named. */
export interface DeletedNode {
  readonly node_id: string;
  readonly customer_reference?: string;
}

/** What happened to the rows of a file, or would have happened if the import had not been rejected. */
export interface ImportReport {
  readonly rows: number;
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly refused: number;
  /** Nodes that no row named, if those are deleted. */
  readonly deleted: number;
  /** The first of them, by reference. */
  readonly deletedNodes: readonly DeletedNode[];
  readonly unit: RowUnit;
  /** The first faults, in file order. */
  readonly faults: readonly PlacedFault[];
  /** Reading stopped at the 10,000th faulty row. */
  readonly stopped?: true;
}

/** Maximum number of deleted nodes that a response lists. */
export const MAX_DELETED_LISTED = 1_000;

/** How many nodes a relation had before an import that deletes those without a row. */
export const nodesBefore = ({ updated, unchanged, deleted }: ImportReport): number => updated + unchanged + deleted;

/** Number of faulty rows at which reading stops. */
export const MAX_FAULTY_ROWS = 10_000;
