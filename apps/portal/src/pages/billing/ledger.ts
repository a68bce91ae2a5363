import {
  type ChargedStep,
  type Closing,
  type Correction,
  type FibreClient,
  type Listing,
  type Party,
  recordsOf,
  type Total,
} from '@fibre/client';
import { LARGEST_PAGE, readAll } from '../../hooks/use-listing.js';
import { useApp, useScope } from '../../session/context.js';
import type { Records } from '../../ui/form/record-choice.js';
import { useIsps } from '../entities/parts.js';
import type { Content } from '../../ui/transfer.js';
import type { Window } from './window.js';

/** A record; those of an ISP name the operator. */
export type Row<T> = T & { readonly tenant?: string };

export interface Search extends Window, Partial<Record<Party, string>> {
  readonly recorded_until?: string;
  readonly _page_size?: number;
}

/** A search for what was recorded until an instant. */
export interface Recorded extends Search {
  readonly recorded_until: string;
}

/** A search for steps. */
export interface StepSearch extends Search {
  readonly article_code?: string;
  readonly entity_id?: string;
}

/** The instants between which something has changed, or the closing since which. */
export type CorrectionSearch = (Search & { readonly recorded_from: string }) | { readonly closing: string; readonly _page_size?: number };

/** A closing, and the only party that it concerns, if there is one. */
export interface Closed extends Closing {
  readonly party?: string | undefined;
}

interface Options {
  readonly signal: AbortSignal;
}

/** What is charged, for the side that reads it. */
export interface Ledger {
  /** The other side: the ISP that an operator charges, or the operator that charges an ISP. */
  readonly party: Party;
  /** The names of ISPs, if they are the other side. */
  readonly isps?: Records;
  readonly totals: (search: Search, options: Options) => Listing<Row<Total>>;
  /** The steps with an article, or those of an entity, by entity and time. */
  readonly charged: (search: StepSearch, options: Options) => Listing<Row<ChargedStep>>;
  readonly corrections: (search: CorrectionSearch, options: Options) => Listing<Row<Correction>>;
  /** All closings, oldest first. */
  readonly closings: (signal: AbortSignal) => Promise<Closed[]>;
  readonly steps: (search: Search, options: Options) => AsyncIterable<Row<ChargedStep>>;
  /** The service's own CSV file of the steps; it has none for ISPs. */
  readonly stepsAsCsv?: (search: Search, options: Options) => PromiseLike<Content>;
}

export function useLedger(): Ledger {
  const { fibre } = useApp();
  const isps = useIsps();
  return useScope('events:read') ? { ...ofOperator(fibre), isps } : ofIsp(fibre);
}

const closed = async (closings: Listing<Row<Closing>>, party: Party): Promise<Closed[]> =>
  (await readAll(closings)).items.map((closing) => ({ ...closing, party: closing[party] }));

const ofOperator = ({ periods, closings }: FibreClient): Ledger => ({
  party: 'partner_id',
  totals: (search, options) => periods.totals(search, options),
  charged: (search, options) => periods.list(search, options),
  corrections: (search, options) => periods.corrections(search, options),
  closings: (signal) => closed(closings.list({ _page_size: LARGEST_PAGE }, { signal }), 'partner_id'),
  steps: async function* (search, options) {
    yield* recordsOf<ChargedStep>(await periods.export({ ...search, format: 'ndjson' }, options));
  },
  stepsAsCsv: (search, options) => periods.export({ ...search, format: 'csv' }, options),
});

const ofIsp = ({ charges }: FibreClient): Ledger => ({
  party: 'tenant',
  totals: (search, options) => charges.totals(search, options),
  charged: (search, options) => charges.list(search, options),
  corrections: (search, options) => charges.corrections(search, options),
  closings: (signal) => closed(charges.closings({ _page_size: LARGEST_PAGE }, { signal }), 'tenant'),
  steps: (search, options) => charges.list({ ...search, _page_size: LARGEST_PAGE }, options),
});

/** The closings that a party's next invoice follows: its own and those of all parties. Without a party, only the latter. */
export const closingsFor = (closings: readonly Closed[], party: string | undefined): Closed[] =>
  closings
    .filter((closing) => closing.party === undefined || closing.party === party)
    .sort((a, b) => Date.parse(a.recorded_until) - Date.parse(b.recorded_until));
