import { type Listing, type Statement, statementOf } from '@fibre/database';
import type { PageQuery } from '@fibre/pagination';
import { sameTimeline } from '../timeline/timeline.sql.js';
import type { TimelineKey } from '../timeline/timeline.js';
import type { ListEntitiesQuery } from './entities.requests.js';
import { ENTITY_JSON, selectEntities, STATE_NOW, stateAt } from './entity-state.sql.js';

/** Filters of the listing; absent ones are ignored. */
export type EntityFilters = Omit<ListEntitiesQuery, keyof PageQuery>;

/** Tenant and namespace. */
export type EntityScope = Pick<TimelineKey, 'tenant' | 'namespaceId'>;

/** A range of entity ids, including `from` and excluding `until`. An absent bound means no limit. */
export interface EntityWindow {
  readonly from?: string;
  readonly until?: string;
}

/** Entities per window: a statement reads this many, whether they match or not. */
export const WINDOW = 10_000;

/** Whether the filters may exclude any number of entities; if so, the list is read in windows. */
export const isWindowed = ({ at, article_code }: EntityFilters): boolean => at !== undefined || article_code !== undefined;

/** Whether the filters contradict each other: only active entities have a subscription. */
export const isContradiction = ({ state, partner_id, article_code, option82 }: EntityFilters): boolean =>
  state !== undefined && state !== 'active' && [partner_id, article_code, option82].some((filter) => filter !== undefined);

/**
 * The conditions that an index can serve. An entity with a subscription is always active; filtering by state too would only mislead the
 * planner.
 */
function indexed({ at, state, partner_id, article_code, option82 }: EntityFilters, bind: (value: unknown) => string): string[] {
  if (at) return [];
  if (option82 !== undefined)
    return [`t.option82 = ${bind(option82)}`, ...(partner_id === undefined ? [] : [`t.partner_id = ${bind(partner_id)}::uuid`])];
  if (partner_id !== undefined) return [`t.partner_id = ${bind(partner_id)}::uuid`];
  const sought = article_code === undefined ? state : 'active';
  return sought === undefined ? [] : [`t.state = ${bind(sought)}`];
}

/** The listing of all entities, or of those in a window. `isDistributed` says whether the tables are distributed. */
export function entityListing(
  { tenant, namespaceId }: EntityScope,
  filters: EntityFilters,
  isDistributed: boolean,
  { from, until }: EntityWindow = {},
): Listing {
  const { state, partner_id, article_code, option82, at } = filters;
  const values: unknown[] = [tenant, namespaceId];
  const bind = (value: unknown): string => `$${values.push(value)}`;
  const inScope = (alias: string): string => `${alias}.tenant = $1 and ${alias}.namespace_id = $2`;
  const source = at === undefined ? STATE_NOW : stateAt(`${bind(at.utc)}::timestamptz`, `${sameTimeline('e', 't')} and ${inScope('e')}`);
  const narrowing = [inScope('t'), ...indexed(filters, bind)];
  if (from !== undefined) narrowing.push(`t.entity_id >= ${bind(from)}::uuid`);
  if (until !== undefined) narrowing.push(`t.entity_id < ${bind(until)}::uuid`);
  if (at) {
    narrowing.push(source.exists);
    if (state !== undefined) narrowing.push(`${source.columns.state} = ${bind(state)}`);
    if (partner_id !== undefined) narrowing.push(`${source.columns.partner_id} = ${bind(partner_id)}::uuid`);
    if (option82 !== undefined) narrowing.push(`${source.columns.option82} = ${bind(option82)}`);
  }
  if (article_code !== undefined) narrowing.push(`${bind(article_code)} = any(${source.articles})`);
  const where = narrowing.join(' and ');
  return {
    label: 'entities',
    values,
    alias: 'n',
    key: 'entity_id',
    json: ENTITY_JSON,
    isDistributed,
    records: (place) => `${selectEntities(source)}
    where ${where}${place.from === undefined ? '' : ` and t.entity_id >= ${place.from}`} order by t.entity_id limit ${place.limit}`,
    rows: `select 1 from timeline t${source.joins} where ${where}`,
  };
}

/** The first entity of the next window, as `entity_id`; no row if there is none. */
export function selectNextWindow({ tenant, namespaceId }: EntityScope, filters: EntityFilters, from: string): Statement {
  const values: unknown[] = [tenant, namespaceId, from];
  const conditions = [
    't.tenant = $1 and t.namespace_id = $2 and t.entity_id >= $3::uuid',
    ...indexed(filters, (value) => `$${values.push(value)}`),
  ];
  return statementOf(
    'entities-next-window',
    `select t.entity_id from timeline t where ${conditions.join(' and ')} order by t.entity_id offset ${WINDOW} limit 1`,
    values,
  );
}
