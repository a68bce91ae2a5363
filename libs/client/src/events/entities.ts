import { type Api } from '../api.js';
import { type Call } from '../call.js';
import { type components, type operations, type paths } from '../generated/event-api.js';
import { type Listing } from '../listing.js';
import { type NamespaceOptions } from './events.js';

type Schemas = components['schemas'];
/** A billable entity, as its timeline tells of it. */
export type Entity = Schemas['EntityResponse'];
export type EntityWithPeriods = Schemas['EntityWithPeriodsResponse'];
/** From an activation to its deactivation. */
export type Period = Schemas['PeriodResponse'];
export type EntityFilters = Omit<NonNullable<operations['listEntities']['parameters']['query']>, '_page_cursor'>;

const ENTITIES = '/api/v2/sys/entities';

/** What the timelines say of each billable entity. */
export class Entities {
  constructor(
    private readonly api: Api<paths>,
    private readonly namespace?: string,
  ) {}

  list(query: EntityFilters = {}, { namespace = this.namespace, ...options }: NamespaceOptions = {}): Listing<Entity> {
    const params = { query, header: { namespace } };
    return this.api.list(options, (how) => this.api.client.GET(ENTITIES, { params, ...how }));
  }

  /** With the periods that are charged. */
  read(entity_id: string, { namespace = this.namespace, ...options }: NamespaceOptions = {}): Call<EntityWithPeriods> {
    const params = { path: { entity_id }, header: { namespace } };
    return this.api.call(this.api.client.GET(`${ENTITIES}/{entity_id}`, { params, ...this.api.with(options) }));
  }
}
