import { type Api } from '../api.js';
import { type DownloadOptions, type NamespaceOptions } from '../options.js';
import { type Call } from '../call.js';
import { type components, type operations, type paths } from '../generated/event-api.js';
import { type Listing } from '../listing.js';

type Schemas = components['schemas'];
/** A part of a subscription, within the window, during which nothing changed. */
export type ChargedStep = Schemas['ChargedStepResponse'];
/** An entity whose steps have changed. */
export type Correction = Schemas['CorrectionResponse'];
export type PeriodQuery = Omit<NonNullable<operations['listPeriods']['parameters']['query']>, '_page_cursor'>;
export type CorrectionQuery = Omit<NonNullable<operations['listCorrections']['parameters']['query']>, '_page_cursor'>;
/** What an ISP is charged for an article. */
export type Total = Schemas['TotalResponse'];
export type TotalQuery = Omit<NonNullable<operations['listTotals']['parameters']['query']>, '_page_cursor'>;
export type TotalExportQuery = NonNullable<operations['exportTotals']['parameters']['query']>;
export type PeriodExportQuery = NonNullable<operations['exportPeriods']['parameters']['query']>;

const PERIODS = '/api/v2/sys/periods';

/** What billing charges. */
export class Periods {
  constructor(private readonly api: Api<paths>) {}

  /** The subscriptions in a time window; each page includes the events recorded until its `recordedUntil`. */
  list(query: PeriodQuery, options: NamespaceOptions = {}): Listing<ChargedStep> {
    return this.api.list(options, (how) => this.api.client.GET(PERIODS, { params: { query }, ...how }));
  }

  /** What has changed since an invoice. */
  corrections(query: CorrectionQuery, options: NamespaceOptions = {}): Listing<Correction> {
    return this.api.list(options, (how) => this.api.client.GET(`${PERIODS}/corrections`, { params: { query }, ...how }));
  }

  /** Entities, days, and how often something began and ended, by ISP and article. */
  totals(query: TotalQuery, options: NamespaceOptions = {}): Listing<Total> {
    return this.api.list(options, (how) => this.api.client.GET(`${PERIODS}/totals`, { params: { query }, ...how }));
  }

  /** The totals as a file. */
  exportTotals(query: TotalExportQuery, options: DownloadOptions & NamespaceOptions = {}): Call<ReadableStream<Uint8Array>> {
    return this.api.download(options, (how) => this.api.client.GET(`${PERIODS}/totals/export`, { params: { query }, ...how }));
  }

  /** The subscriptions in a time window, as a file; it includes the events recorded until the instant in the header `x-recorded-until`. */
  export(query: PeriodExportQuery, options: DownloadOptions & NamespaceOptions = {}): Call<ReadableStream<Uint8Array>> {
    return this.api.download(options, (how) => this.api.client.GET(`${PERIODS}/export`, { params: { query }, ...how }));
  }
}

/** The window of a month such as `2026-10`; `undefined` for anything else. */
export function monthWindow(month: string): { from: string; to: string } | undefined {
  const [, year, number] = /^(\d{4})-(0[1-9]|1[0-2])$/.exec(month) ?? [];
  if (year === undefined) return undefined;
  return { from: `${month}-01`, to: new Date(Date.UTC(Number(year), Number(number))).toISOString().slice(0, 'YYYY-MM-DD'.length) };
}
