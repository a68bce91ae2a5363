import { type Api, type CallOptions } from '../api.js';
import { type Call } from '../call.js';
import { type components, type operations, type paths } from '../generated/coverage-api.js';
import { type Listing } from '../listing.js';
import { type VersionOptions } from './nodes.js';

type Schemas = components['schemas'];
/** A relation between an access network operator and an infrastructure provider; nodes belong to it. */
export type Relation = Schemas['RelationResponse'];
/** A relation with its node counts. */
export type CountedRelation = Schemas['CountedRelationResponse'];
export type NewRelation = Schemas['CreateRelationRequest'];
/** A JSON merge patch: absent members keep their value, and `null` clears them. */
export type RelationChanges = Schemas['UpdateRelationRequest'];
export type RelationFilters = Omit<NonNullable<operations['listRelations']['parameters']['query']>, '_page_cursor'>;

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

  update(relation_id: string, body: RelationChanges, { ifMatch, ...options }: VersionOptions = {}): Call<Relation> {
    const params = { path: { relation_id }, header: { 'if-match': ifMatch } };
    return this.api.call(this.api.client.PATCH(RELATION, { params, body, ...this.api.with(options) }));
  }

  delete(relation_id: string, { ifMatch, ...options }: VersionOptions = {}): Call<void> {
    const params = { path: { relation_id }, header: { 'if-match': ifMatch } };
    return this.api.call<void>(this.api.client.DELETE(RELATION, { params, ...this.api.with(options) }));
  }
}
