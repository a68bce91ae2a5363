import { MAX_FAULTS, type RowFault } from '../files/sent-row.js';
import type { RowPlace } from './import-rows.sql.js';

/** Number of refused rows at which an import stops. */
export const MAX_REFUSED = 10_000;

/** A {@link RowFault} with the number of its line or feature. */
export interface PlacedFault extends RowFault {
  readonly place: number;
}

/** The refused rows of a file, at most {@link MAX_REFUSED}, and what is wrong with the first ones. */
export class RefusedRows {
  private constructor(
    readonly places: readonly RowPlace[],
    readonly faults: readonly PlacedFault[],
  ) {}

  /** Refused rows in any order. */
  static of(places: readonly RowPlace[], faults: readonly PlacedFault[]): RefusedRows {
    const first = [...places].sort((a, b) => a.place - b.place).slice(0, MAX_REFUSED);
    const last = first.at(-1)?.place ?? 0;
    const told = faults.filter(({ place }) => place <= last).sort((a, b) => a.place - b.place);
    return new RefusedRows(first, told.slice(0, MAX_FAULTS));
  }

  get count(): number {
    return this.places.length;
  }

  /** The place of the row at which the import stops, if so many rows are refused. */
  get stoppedAt(): number | undefined {
    return this.places[MAX_REFUSED - 1]?.place;
  }

  /** The first and last line of each run of refused rows. */
  ranges(): [number, number][] {
    const ranges: [number, number][] = [];
    for (const { place, end = place } of this.places) {
      const run = ranges.at(-1);
      if (run?.[1] === place - 1) run[1] = end;
      else ranges.push([place, end]);
    }
    return ranges;
  }
}
