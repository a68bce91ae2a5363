import { given, join, type Listing, pageBy, raw, type Sql, sql, type Statement, statement } from '@fibre/database';
import type { PageQuery } from '@fibre/pagination';
import { inScope, sameTimeline } from '../timeline/timeline.sql.js';
import type { Scope } from '../timeline/timeline.js';
import type { ListEntitiesQuery } from './entities.requests.js';
import { ENTITY_JSON, selectEntities, STATE_NOW, stateAt } from './entity-state.sql.js';

/** Filters of the listing; absent ones are ignored. */
export type EntityFilters = Omit<ListEntitiesQuery, keyof PageQuery>;

/** A range of entity ids, including `from` and excluding `until`. An absent bound means no limit. */
export interface EntityWindow {
  readonly from?: string;
  readonly until?: string;
}

/** Entities per window: a statement reads this many, whether they match or not. */
export const WINDOW = 10_000;

/** Whether the filters may exclude any number of entities; if so, the list is read in windows. */
export const isWindowed = ({ at, article_code }: EntityFilters): boolean => at !== undefined || article_code !== undefined;

/** The condition that an index can serve: a subscription runs only while the entity is active. */
function indexed({ at, state, partner_id, article_code }: EntityFilters): Sql | undefined {
  if (at) return undefined;
  const ofSubscription = partner_id !== undefined || article_code !== undefined;
  if (ofSubscription && state !== undefined && state !== 'active') return sql`false`;
  if (partner_id !== undefined) return sql`t.state = 'active' and t.partner_id = ${partner_id}::uuid`;
  return given(ofSubscription ? 'active' : state, (sought) => sql`t.state = ${sought}`);
}

/** The listing of all entities, or of those in a window. */
export function entityListing(scope: Scope, filters: EntityFilters, { from, until }: EntityWindow = {}): Listing {
  const { state, partner_id, article_code, at } = filters;
  const isOf = inScope(scope);
  const source = at ? stateAt(sql`${at.utc}::timestamptz`, sql`${raw(sameTimeline('e', 't'))} and ${isOf('e')}`) : STATE_NOW;
  const { columns } = source;
  const where = join(
    [
      isOf('t'),
      indexed(filters),
      given(from, (id) => sql`t.entity_id >= ${id}::uuid`),
      given(until, (id) => sql`t.entity_id < ${id}::uuid`),
      ...(at
        ? [
            source.exists,
            given(state, (value) => sql`${columns.state} = ${value}`),
            given(partner_id, (id) => sql`${columns.state} = 'active' and ${columns.partner_id} = ${id}::uuid`),
          ]
        : []),
      given(article_code, (code) => sql`${code} = any(${source.articles})`),
    ],
    ' and ',
  );
  return {
    label: 'entities',
    alias: 'n',
    order: [{ column: 'entity_id', type: 'uuid' }],
    json: ENTITY_JSON,
    records: (place) => sql`${selectEntities(source)} where ${where} ${pageBy('t.entity_id', place)}`,
    rows: sql`select 1 from timeline t${source.joins} where ${where}`,
  };
}

/** The first entity of the next window, as `entity_id`; no row if there is none. */
export function selectNextWindow(scope: Scope, filters: EntityFilters, from: string): Statement {
  const conditions = join([inScope(scope)('t'), sql`t.entity_id >= ${from}::uuid`, indexed(filters)], ' and ');
  return statement(
    'entities-next-window',
  )`select t.entity_id from timeline t where ${conditions} order by t.entity_id offset ${raw(WINDOW)} limit 1`;
}
