import { type Api } from '../api.js';
import { type Call } from '../call.js';
import { type components, type operations, type paths } from '../generated/event-api.js';
import { type Listing } from '../listing.js';
import { type NamespaceOptions } from './events.js';

type Schemas = components['schemas'];
/** An internet service provider in the tenant's registry. */
export type Isp = Schemas['IspResponse'];
export type NewIsp = Schemas['IspRequest'];
export type IspFilters = Omit<NonNullable<operations['listIsps']['parameters']['query']>, '_page_cursor'>;

const ISPS = '/api/v2/sys/isps';
const ISP = '/api/v2/sys/isps/{partner_id}';

interface VersionOptions extends NamespaceOptions {
  /** The `etag` of the version to change; if the record has changed since, the request is rejected (412). */
  ifMatch?: string;
}

export class Isps {
  constructor(
    private readonly api: Api<paths>,
    private readonly namespace?: string,
  ) {}

  list(query: IspFilters = {}, { namespace = this.namespace, ...options }: NamespaceOptions = {}): Listing<Isp> {
    const params = { query, header: { namespace } };
    return this.api.list(options, (how) => this.api.client.GET(ISPS, { params, ...how }));
  }

  /** Creates an ISP; the service assigns the id. */
  create(body: NewIsp, { namespace = this.namespace, ...options }: NamespaceOptions = {}): Call<Isp> {
    return this.api.call(this.api.client.POST(ISPS, { params: { header: { namespace } }, body, ...this.api.with(options) }));
  }

  read(partner_id: string, { namespace = this.namespace, ...options }: NamespaceOptions = {}): Call<Isp> {
    const params = { path: { partner_id }, header: { namespace } };
    return this.api.call(this.api.client.GET(ISP, { params, ...this.api.with(options) }));
  }

  /** Creates the ISP with this id, or replaces it completely. */
  put(partner_id: string, body: NewIsp, { namespace = this.namespace, ifMatch, ...options }: VersionOptions = {}): Call<Isp> {
    const params = { path: { partner_id }, header: { namespace, 'if-match': ifMatch } };
    // Without `ifMatch`, a retry has the same result; with `ifMatch`, it would conflict with the first attempt's change.
    const how = this.api.with(options, { repeatable: ifMatch === undefined });
    return this.api.call(this.api.client.PUT(ISP, { params, body, ...how }));
  }

  delete(partner_id: string, { namespace = this.namespace, ifMatch, ...options }: VersionOptions = {}): Call<void> {
    const params = { path: { partner_id }, header: { namespace, 'if-match': ifMatch } };
    return this.api.call<void>(this.api.client.DELETE(ISP, { params, ...this.api.with(options) }));
  }
}
