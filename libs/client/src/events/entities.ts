import { type Api } from '../api.js';
import { type NamespaceOptions } from '../options.js';
import { type Call } from '../call.js';
import { type components, type operations, type paths } from '../generated/event-api.js';
import { type Listing } from '../listing.js';

type Schemas = components['schemas'];
/** A billable entity, derived from its timeline. */
export type Entity = Schemas['EntityResponse'];
export type EntityWithPeriods = Schemas['EntityWithPeriodsResponse'];
/** Counts of a tenant's records. */
export type EventOverview = Schemas['EventOverviewResponse'];
/** Activations, deactivations and active entities of a month. */
export type TrendMonth = Schemas['MonthResponse'];
export type TrendQuery = NonNullable<operations['readTrend']['parameters']['query']>;
/** An ISP, entity or event that was found. */
export type FoundInEvents = Schemas['FoundResponse'];
/** A subscription from its activation to its deactivation. */
export type Period = Schemas['PeriodResponse'];
export type EntityFilters = Omit<NonNullable<operations['listEntities']['parameters']['query']>, '_page_cursor'>;

const ENTITIES = '/api/v2/sys/entities';

/** The states of billable entities. */
export class Entities {
  constructor(private readonly api: Api<paths>) {}

  list(query: EntityFilters = {}, options: NamespaceOptions = {}): Listing<Entity> {
    return this.api.list(options, (how) => this.api.client.GET(ENTITIES, { params: { query }, ...how }));
  }

  /** Reads an entity with its billing periods. */
  read(entity_id: string, options: NamespaceOptions = {}): Call<EntityWithPeriods> {
    return this.api.call(this.api.client.GET(`${ENTITIES}/{entity_id}`, { params: { path: { entity_id } }, ...this.api.with(options) }));
  }

  /** Erases the user attributes of all events of an entity and, with `line`, its option82 and partner_reference. Safe to repeat. */
  erase(entity_id: string, { line = false, ...options }: NamespaceOptions & { line?: boolean } = {}): Call<void> {
    const params = { path: { entity_id }, query: { line: line ? ('true' as const) : undefined } };
    const how = this.api.with(options, { repeatable: true });
    return this.api.call<void>(this.api.client.DELETE(`${ENTITIES}/{entity_id}/personal-data`, { params, ...how }));
  }

  /** Counts entities by state, and the events of the last day. */
  overview(options: NamespaceOptions = {}): Call<EventOverview> {
    return this.api.call(this.api.client.GET('/api/v2/sys/overview', this.api.with(options)));
  }

  /** Activations and deactivations by month, and the entities that were active at the end of each. */
  trend(query: TrendQuery = {}, options: NamespaceOptions = {}): Call<TrendMonth[]> {
    return this.api.call(this.api.client.GET('/api/v2/sys/overview/trend', { params: { query }, ...this.api.with(options) }));
  }

  /** Finds up to ten ISPs, entities and events by what their names, lines and ids begin with, exact matches first. */
  find(q: string, options: NamespaceOptions = {}): Call<FoundInEvents[]> {
    return this.api.call(this.api.client.GET('/api/v2/sys/find', { params: { query: { q } }, ...this.api.with(options) }));
  }
}
