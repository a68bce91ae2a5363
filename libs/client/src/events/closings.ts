import { type Api } from '../api.js';
import { type NamespaceOptions } from '../options.js';
import { type Call } from '../call.js';
import { type components, type operations, type paths } from '../generated/event-api.js';
import { type Listing } from '../listing.js';

type Schemas = components['schemas'];
/** What was invoiced: a window, and the instant up to which recorded events counted. */
export type Closing = Schemas['ClosingResponse'];
export type NewClosing = Schemas['CreateClosingRequest'];
export type ClosingFilters = Omit<NonNullable<operations['listClosings']['parameters']['query']>, '_page_cursor'>;

export interface CloseOptions extends NamespaceOptions {
  /** Closing the same window again with the same key returns the first closing. By default, each call has its own key. */
  idempotencyKey?: string;
}

const CLOSINGS = '/api/v2/sys/closings';

/** Closed windows: `closing` in queries of periods, totals and corrections is the id of one of them. */
export class Closings {
  constructor(private readonly api: Api<paths>) {}

  list(query: ClosingFilters = {}, options: NamespaceOptions = {}): Listing<Closing> {
    return this.api.list(options, (how) => this.api.client.GET(CLOSINGS, { params: { query }, ...how }));
  }

  /** Closes a window as it is settled now. A retry does not close it twice. */
  create(body: NewClosing, { idempotencyKey = crypto.randomUUID(), ...options }: CloseOptions = {}): Call<Closing> {
    const how = this.api.with({ idempotencyKey, ...options }, { repeatable: true });
    return this.api.call(this.api.client.POST(CLOSINGS, { body, ...how }));
  }

  read(closing_id: string, options: NamespaceOptions = {}): Call<Closing> {
    return this.api.call(this.api.client.GET(`${CLOSINGS}/{closing_id}`, { params: { path: { closing_id } }, ...this.api.with(options) }));
  }
}
