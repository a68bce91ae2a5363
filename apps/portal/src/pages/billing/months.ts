import { useState } from 'preact/hooks';
import { totalOf } from '../../hooks/use-listing.js';
import { useLoad } from '../../hooks/use-load.js';
import { type Closed, closingsFor, type Ledger } from './ledger.js';
import { isSame, thisMonth, type Window, windowOf } from './window.js';

export interface MonthRow {
  readonly window: Window;
  /** The last closing for each party, unless a later one is for all. */
  readonly last: readonly Closed[];
}

/** The last months, and every other window since then that was closed; latest first. */
export function rowsOf(closings: readonly Closed[], count: number): MonthRow[] {
  const windows = Array.from({ length: count }, (_, before) => windowOf(thisMonth().subtract({ months: before }).toString())!);
  const since = Date.parse(windows.at(-1)!.from);
  for (const closing of closings)
    if (Date.parse(closing.from) >= since && !windows.some((window) => isSame(window, closing))) windows.push(closing);
  return windows
    .sort((a, b) => Date.parse(b.from) - Date.parse(a.from))
    .map((window) => {
      const own = closings.filter((closing) => isSame(closing, window));
      return { window, last: own.filter((closing) => closingsFor(own, closing.party).at(-1) === closing) };
    });
}

/**
 * How many entities have changed since each closing: counted one after the other, because the service lets them wait for each other, and
 * only for the months that are shown, because a count reads every event recorded since its closing.
 */
export function usePending(ledger: Ledger, rows: readonly MonthRow[]) {
  const [counts, setCounts] = useState<ReadonlyMap<string, number>>(new Map());
  const last = rows.flatMap((row) => row.last);
  const load = async (signal: AbortSignal): Promise<void> => {
    for (const { closing_id } of last) {
      if (counts.has(closing_id)) continue;
      const count = await totalOf((query) => ledger.corrections({ closing: closing_id, ...query }, { signal }));
      setCounts((before) => new Map(before).set(closing_id, count));
    }
  };
  const { error } = useLoad(load, last.map(({ closing_id }) => closing_id).join());
  return { counts, error };
}
