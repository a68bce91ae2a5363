import { type Api } from '../api.js';
import { type CallOptions, type VersionOptions } from '../options.js';
import { type Call } from '../call.js';
import { type components, type operations, type paths } from '../generated/coverage-api.js';
import { type Listing } from '../listing.js';

type Schemas = components['schemas'];
/** A relation between an access network operator and an infrastructure provider; nodes belong to it. */
export type Relation = Schemas['RelationResponse'];
/** A relation with its node counts. */
export type CountedRelation = Schemas['CountedRelationResponse'];
export type NewRelation = Schemas['CreateRelationRequest'];
/** A JSON merge patch: absent members keep their value, and `null` clears them. */
export type RelationChanges = Schemas['UpdateRelationRequest'];
export type RelationFilters = Omit<NonNullable<operations['listRelations']['parameters']['query']>, '_page_cursor'>;

/** What ISPs see of a relation: infrastructure provider, contact, and the number of nodes in production by stage. */
export type PublishedRelation = Schemas['PublishedRelationResponse'];
export type PublishedRelationFilters = Omit<NonNullable<operations['listPublishedRelations']['parameters']['query']>, '_page_cursor'>;

const RELATIONS = '/v2/cov/relations';
const RELATION = '/v2/cov/relations/{relation_id}';

export class Relations {
  constructor(private readonly api: Api<paths>) {}

  list(query: RelationFilters = {}, options: CallOptions = {}): Listing<Relation> {
    return this.api.list(options, (how) => this.api.client.GET(RELATIONS, { params: { query }, ...how }));
  }

  create(body: NewRelation, options: CallOptions = {}): Call<Relation> {
    return this.api.call(this.api.client.POST(RELATIONS, { body, ...this.api.with(options) }));
  }

  read(relation_id: string, options: CallOptions = {}): Call<CountedRelation> {
    return this.api.call(this.api.client.GET(RELATION, { params: { path: { relation_id } }, ...this.api.with(options) }));
  }

  update(relation_id: string, body: RelationChanges, options: VersionOptions = {}): Call<Relation> {
    return this.api.call(this.api.client.PATCH(RELATION, { params: { path: { relation_id } }, body, ...this.api.with(options) }));
  }

  delete(relation_id: string, options: VersionOptions = {}): Call<void> {
    return this.api.call<void>(this.api.client.DELETE(RELATION, { params: { path: { relation_id } }, ...this.api.with(options) }));
  }
}

/** The relations of all operators that have nodes in production. */
export class PublishedRelations {
  constructor(private readonly api: Api<paths>) {}

  list(query: PublishedRelationFilters = {}, options: CallOptions = {}): Listing<PublishedRelation> {
    return this.api.list(options, (how) => this.api.client.GET('/v2/cov/search/relations', { params: { query }, ...how }));
  }

  read(relation_id: string, options: CallOptions = {}): Call<PublishedRelation> {
    const params = { path: { relation_id } };
    return this.api.call(this.api.client.GET('/v2/cov/search/relations/{relation_id}', { params, ...this.api.with(options) }));
  }
}
