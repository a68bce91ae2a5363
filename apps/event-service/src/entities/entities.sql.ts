import { jsonObjectText, type JsonMember, type Listing, type Statement, statementOf } from '@fibre/database';
import type { Timestamp } from '@fibre/dto';
import { eventAtText } from '../events/event.response.js';
import type { TimelineKey } from '../events/event.js';
import type { EntityState } from '../timeline/entity-state.js';
import { ENTITY_MEMBERS } from './entity.response.js';

/** Filters of the listing; absent ones do not narrow it. */
export interface EntityFilters {
  readonly state?: EntityState;
  readonly partner_id?: string;
  readonly article_code?: string;
  readonly at?: Timestamp;
}

/** Whose entities. */
export type EntityScope = Pick<TimelineKey, 'tenant' | 'namespaceId'>;

/** A part of the entities by id: from the first one, up to but without the last one. Absent: to where there are any. */
export interface EntityWindow {
  readonly from?: string;
  readonly until?: string;
}

/** Entities of one window: so many are looked at by one statement, whichever of them pass. */
export const WINDOW = 10_000;
/** Most steps of the periods that a single read shows. */
export const MAX_STEPS = 1_000;

const KEY = ['shard_key', 'tenant', 'namespace_id', 'entity_id'];
const sameKey = (one: string, other: string): string => KEY.map((column) => `${one}.${column} = ${other}.${column}`).join(' and ');

/** Where a statement finds the state and the subscription of a timeline `t`. */
interface StateSource {
  /** Joins beside `t` that filters may need. */
  readonly joins: string;
  /** Joins of what is shown alone. */
  readonly shown: string;
  /** Article codes as an array. */
  readonly articles: string;
  readonly columns: Readonly<Record<'state' | 'since' | 'partner_id' | 'article_codes' | 'option82' | 'partner_reference', string>>;
}

/** In the timeline itself: who adds an event keeps it right. */
const NOW: StateSource = {
  joins: '',
  shown: '',
  articles: 't.article_codes',
  columns: {
    state: 't.state',
    since: 't.state_since',
    partner_id: 't.partner_id',
    article_codes: 'array_to_json(t.article_codes)::text',
    option82: 't.option82',
    partner_reference: 't.partner_reference',
  },
};

/** In the events up to an instant. */
function asOf(at: string, ofTimeline: string): StateSource {
  const join = (alias: string, columns: string, condition: string, order = 'desc'): string => `
      left join lateral (
        select ${columns} from event e where ${ofTimeline} and e.event_at <= ${at} and ${condition} order by e.event_at ${order} limit 1
      ) ${alias} on true`;
  const lifecycle = `e.event_type <> 'notification'`;
  const given = (member: string): string => {
    const value = `e.sys_attributes ->> '${member}'`;
    return join(member, `${value} as given`, `${lifecycle} and e.event_at >= begun.event_at and ${value} is not null`);
  };
  return {
    joins: [
      join('last', 'e.event_type, e.event_at, e.sys_attributes', lifecycle),
      join('told', 'e.event_at', `e.event_type = 'notification' and last.event_at is null`, 'asc'),
      join('begun', 'e.event_at, e.sys_attributes', `${lifecycle} and e.event_type = 'activation' and last.event_type <> 'deactivation'`),
    ].join(''),
    shown: given('option82') + given('partner_reference'),
    articles: `array(select json_array_elements_text(last.sys_attributes -> 'article_codes'))`,
    columns: {
      state: `case when last.event_at is null then 'announced' when last.event_type = 'deactivation' then 'inactive' else 'active' end`,
      since: 'coalesce(begun.event_at, last.event_at, told.event_at)',
      partner_id: `(begun.sys_attributes ->> 'partner_id')`,
      article_codes: `(last.sys_attributes -> 'article_codes')::text`,
      option82: 'option82.given',
      partner_reference: 'partner_reference.given',
    },
  };
}

/** Selects entities `n`, one for each timeline `t`. */
const selectEntities = ({ joins, shown, columns }: StateSource, ofTimeline: string): string => `
    select t.entity_id, t.tenant, ${Object.entries(columns)
      .map(([name, sql]) => `${sql} as ${name}`)
      .join(', ')},
      recorded.event_id as last_event_id, first.created_at, greatest(recorded.created_at, overwritten.modified_at) as modified_at
    from timeline t${joins}${shown}
      cross join lateral (select e.created_at from event e where ${ofTimeline} and e.sequence = 1 limit 1) first
      cross join lateral (select e.event_id, e.created_at from event e where ${ofTimeline} and e.sequence = t.version limit 1) recorded
      left join lateral (
        select e.modified_at from event e where ${ofTimeline} and e.overwritten order by e.modified_at desc limit 1
      ) overwritten on true`;

/** Whether the filters may pass over any number of entities, so that the list is read window by window. */
export const isWindowed = ({ at, article_code }: EntityFilters): boolean => at !== undefined || article_code !== undefined;

/** Whether no entity can pass: who has a subscription is active. */
export const isContradiction = ({ state, partner_id, article_code }: EntityFilters): boolean =>
  state !== undefined && state !== 'active' && (partner_id !== undefined || article_code !== undefined);

/** The filters that an index serves. Who has a subscription is active; to ask for that as well would only lead the planner astray. */
function indexed({ at, state, partner_id, article_code }: EntityFilters, bind: (value: unknown) => string): string[] {
  if (at) return [];
  if (partner_id !== undefined) return [`t.partner_id = ${bind(partner_id)}::uuid`];
  const sought = article_code === undefined ? state : 'active';
  return sought === undefined ? [] : [`t.state = ${bind(sought)}`];
}

/** A listing of entities, or of those within a window; `isDistributed` where the tables are. */
export function entityListing(
  { tenant, namespaceId }: EntityScope,
  filters: EntityFilters,
  isDistributed: boolean,
  { from, until }: EntityWindow = {},
): Listing {
  const { state, partner_id, article_code, at } = filters;
  const values: unknown[] = [tenant, namespaceId];
  const bind = (value: unknown): string => `$${values.push(value)}`;
  const inScope = (alias: string): string => `${alias}.tenant = $1 and ${alias}.namespace_id = $2`;
  const ofTimeline = `${sameKey('e', 't')} and ${inScope('e')}`;
  const source = at === undefined ? NOW : asOf(`${bind(at.utc)}::timestamptz`, ofTimeline);
  const narrowing = [inScope('t'), ...indexed(filters, bind)];
  if (from !== undefined) narrowing.push(`t.entity_id >= ${bind(from)}::uuid`);
  if (until !== undefined) narrowing.push(`t.entity_id < ${bind(until)}::uuid`);
  if (at) {
    narrowing.push('coalesce(last.event_at, told.event_at) is not null');
    if (state !== undefined) narrowing.push(`${source.columns.state} = ${bind(state)}`);
    if (partner_id !== undefined) narrowing.push(`${source.columns.partner_id} = ${bind(partner_id)}::text`);
  }
  if (article_code !== undefined) narrowing.push(`${bind(article_code)} = any(${source.articles})`);
  const where = narrowing.join(' and ');
  return {
    label: 'entities',
    values,
    alias: 'n',
    key: 'entity_id',
    members: ENTITY_MEMBERS,
    isDistributed,
    records: (place) => `${selectEntities(source, ofTimeline)}
    where ${where}${place.from === undefined ? '' : ` and t.entity_id >= ${place.from}`} order by t.entity_id limit ${place.limit}`,
    rows: `select 1 from timeline t${source.joins} where ${where}`,
  };
}

/** Where the window after this one begins: `entity_id`, or no row. */
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

const STEP_MEMBERS: readonly JsonMember[] = [
  { name: 'from', sql: eventAtText('s.event_at'), as: 'plain' },
  { name: 'article_codes', sql: `(s.sys_attributes -> 'article_codes')::text`, as: 'json' },
  { name: 'option82', sql: 's.option82', as: 'text', optional: true },
  { name: 'partner_reference', sql: 's.partner_reference', as: 'text', optional: true },
  { name: 'event_id', sql: 's.event_id', as: 'plain' },
];
const PERIOD_MEMBERS: readonly JsonMember[] = [
  { name: 'from', sql: eventAtText('p.began'), as: 'plain' },
  { name: 'to', sql: eventAtText('p.ended'), as: 'plain', optional: true },
  { name: 'partner_id', sql: 'p.partner_id', as: 'plain' },
  { name: 'steps', sql: `'[' || p.steps || ']'`, as: 'json' },
];
const SINGLE_MEMBERS: readonly JsonMember[] = [
  ...ENTITY_MEMBERS,
  {
    name: 'periods',
    sql: `'[' || (select coalesce(string_agg(${jsonObjectText(PERIOD_MEMBERS)}, ',' order by p.began), '') from period p) || ']'`,
    as: 'json',
  },
  { name: 'periods_truncated', sql: `(select 'true' from newest having count(*) > ${MAX_STEPS})`, as: 'json', optional: true },
];

/**
 * One entity with its periods: `json`, or no row. Only the newest steps are shown, but the subscription of the oldest of these is read
 * from its activation on: that says who the partner is, and any event of it may have given a member that was in force until then.
 */
export const selectEntity = ({ shardKey, tenant, namespaceId, entityId }: TimelineKey): Statement => {
  const ofEntity = (alias: string): string =>
    `${alias}.shard_key = $1 and ${alias}.tenant = $2 and ${alias}.namespace_id = $3 and ${alias}.entity_id = $4`;
  const lifecycle = `${ofEntity('e')} and e.event_type <> 'notification'`;
  const given = (member: string): string => `s.sys_attributes ->> '${member}'`;
  const givers = (member: string): string => `count(${given(member)}) over (partition by s.period order by s.event_at) as of_${member}`;
  const inForce = (member: string): string => `max(${given(member)}) over (partition by s.period, s.of_${member}) as ${member}`;
  return {
    name: 'entities-single',
    text: `
    with newest as (
      select e.event_at from event e where ${lifecycle} and e.event_type <> 'deactivation' order by e.event_at desc limit ${MAX_STEPS} + 1
    ),
    shown as (select min(n.event_at) as since from (select n.event_at from newest n order by n.event_at desc limit ${MAX_STEPS}) n),
    begun as (
      select e.event_at from event e
      where ${lifecycle} and e.event_type = 'activation' and e.event_at <= (select h.since from shown h) order by e.event_at desc limit 1
    ),
    lifecycle as (
      select e.*, count(*) filter (where e.event_type = 'activation') over (order by e.event_at) as period
      from event e where ${lifecycle} and e.event_at >= (select b.event_at from begun b)
    ),
    counted as (select s.*, ${givers('option82')}, ${givers('partner_reference')} from lifecycle s),
    step as (
      select s.event_id, s.event_type, s.event_at, s.sys_attributes, s.period, ${inForce('option82')}, ${inForce('partner_reference')}
      from counted s
    ),
    period as (
      select min(s.event_at) as began, max(s.event_at) filter (where s.event_type = 'deactivation') as ended,
        max(s.sys_attributes ->> 'partner_id') as partner_id,
        string_agg(${jsonObjectText(STEP_MEMBERS)}, ',' order by s.event_at)
          filter (where s.event_type <> 'deactivation' and s.event_at >= (select h.since from shown h)) as steps
      from step s group by s.period
    )
    select ${jsonObjectText(SINGLE_MEMBERS)} as json
    from (${selectEntities(NOW, `${sameKey('e', 't')} and ${ofEntity('e')}`)} where ${ofEntity('t')}) n`,
    values: [shardKey, tenant, namespaceId, entityId],
  };
};
