import { type Api } from '../api.js';
import { type Call } from '../call.js';
import { type CallOptions } from '../options.js';
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

const CHARGES = '/api/v2/sys/charges';

/** For internet service providers: what operators charge them. */
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
}
