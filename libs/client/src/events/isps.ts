import { type Api } from '../api.js';
import { type NamespaceOptions, type VersionOptions } from '../options.js';
import { type Call } from '../call.js';
import { type components, type operations, type paths } from '../generated/event-api.js';
import { type Listing } from '../listing.js';

type Schemas = components['schemas'];
/** An internet service provider in the tenant's registry. */
export type Isp = Schemas['IspResponse'];
export type NewIsp = Schemas['IspRequest'];
export type IspFilters = Omit<NonNullable<operations['listIsps']['parameters']['query']>, '_page_cursor'>;

const ISPS = '/api/v2/sys/isps';
const ISP = '/api/v2/sys/isps/{partner_id}';

export class Isps {
  constructor(private readonly api: Api<paths>) {}

  list(query: IspFilters = {}, options: NamespaceOptions = {}): Listing<Isp> {
    return this.api.list(options, (how) => this.api.client.GET(ISPS, { params: { query }, ...how }));
  }

  /** Creates an ISP; the service assigns the id. */
  create(body: NewIsp, options: NamespaceOptions = {}): Call<Isp> {
    return this.api.call(this.api.client.POST(ISPS, { body, ...this.api.with(options) }));
  }

  read(partner_id: string, options: NamespaceOptions = {}): Call<Isp> {
    return this.api.call(this.api.client.GET(ISP, { params: { path: { partner_id } }, ...this.api.with(options) }));
  }

  /** Creates the ISP with this id, or replaces it completely. */
  put(partner_id: string, body: NewIsp, options: NamespaceOptions & VersionOptions = {}): Call<Isp> {
    // Without `ifMatch`, a retry has the same result; with `ifMatch`, it would conflict with the first attempt's change.
    const how = this.api.with(options, { repeatable: options.ifMatch === undefined });
    return this.api.call(this.api.client.PUT(ISP, { params: { path: { partner_id } }, body, ...how }));
  }

  delete(partner_id: string, options: NamespaceOptions & VersionOptions = {}): Call<void> {
    return this.api.call<void>(this.api.client.DELETE(ISP, { params: { path: { partner_id } }, ...this.api.with(options) }));
  }
}
