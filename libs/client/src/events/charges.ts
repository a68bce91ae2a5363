import { type Api } from '../api.js';
import { type Call } from '../call.js';
import { type Changes, type FollowOptions } from '../changes.js';
import { type CallOptions, type DownloadOptions } from '../options.js';
import { type components, type operations, type paths } from '../generated/event-api.js';
import { type Listing } from '../listing.js';

type Schemas = components['schemas'];
/** A step that an operator charges. */
export type Charge = Schemas['ChargeResponse'];
export type ChargedTotal = Schemas['ChargedTotalResponse'];
export type ChargedCorrection = Schemas['ChargedCorrectionResponse'];
export type ChargedClosing = Schemas['ChargedClosingResponse'];
export type ChargeQuery = Omit<NonNullable<operations['listCharges']['parameters']['query']>, '_page_cursor'>;
export type ChargedCorrectionQuery = Omit<NonNullable<operations['listChargedCorrections']['parameters']['query']>, '_page_cursor'>;
export type ChargedClosingFilters = Omit<NonNullable<operations['listChargedClosings']['parameters']['query']>, '_page_cursor'>;

/** A subscription of the caller that runs. */
export type Line = Schemas['LineResponse'];
export type LineQuery = Omit<NonNullable<operations['listLines']['parameters']['query']>, '_page_cursor'>;
export type LineExportQuery = NonNullable<operations['exportLines']['parameters']['query']>;
/** A line that runs, or one that has ended, by `change`. */
export type LineChange = Schemas['LineUpsertedResponse'] | Schemas['LineEndedResponse'];
export type LineChangesQuery = Omit<NonNullable<operations['listLineChanges']['parameters']['query']>, '_page_cursor'>;

const CHARGES = '/api/v2/sys/charges';

/** For internet service providers: what operators charge them, and their lines. */
export class Charges {
  constructor(private readonly api: Api<paths>) {}

  list(query: ChargeQuery, options: CallOptions = {}): Listing<Charge> {
    return this.api.list(options, (how) => this.api.client.GET(CHARGES, { params: { query }, ...how }));
  }

  totals(query: ChargeQuery, options: CallOptions = {}): Listing<ChargedTotal> {
    return this.api.list(options, (how) => this.api.client.GET(`${CHARGES}/totals`, { params: { query }, ...how }));
  }

  corrections(query: ChargedCorrectionQuery, options: CallOptions = {}): Listing<ChargedCorrection> {
    return this.api.list(options, (how) => this.api.client.GET(`${CHARGES}/corrections`, { params: { query }, ...how }));
  }

  closings(query: ChargedClosingFilters = {}, options: CallOptions = {}): Listing<ChargedClosing> {
    return this.api.list(options, (how) => this.api.client.GET(`${CHARGES}/closings`, { params: { query }, ...how }));
  }

  readClosing(closing_id: string, options: CallOptions = {}): Call<ChargedClosing> {
    const params = { path: { closing_id } };
    return this.api.call(this.api.client.GET(`${CHARGES}/closings/{closing_id}`, { params, ...this.api.with(options) }));
  }

  /** The lines that run at an instant; each page has it as `at`. */
  lines(query: LineQuery = {}, options: CallOptions = {}): Listing<Line> {
    return this.api.list(options, (how) => this.api.client.GET(`${CHARGES}/lines`, { params: { query }, ...how }));
  }

  /** The lines that run at an instant, as a file; the instant is in the header `x-lines-at`. */
  exportLines(query: LineExportQuery = {}, options: DownloadOptions = {}): Call<ReadableStream<Uint8Array>> {
    return this.api.download(options, (how) => this.api.client.GET(`${CHARGES}/lines/export`, { params: { query }, ...how }));
  }

  /** Changes to the lines, for clients that keep a copy by `line_id`. */
  lineChanges(query: LineChangesQuery = {}, options: FollowOptions = {}): Changes<LineChange> {
    return this.api.changes(options, (_page_cursor, how) =>
      this.api.client.GET(`${CHARGES}/lines/changes`, { params: { query: { ...query, _page_cursor } }, ...how }),
    );
  }
}
