import { join, type JsonMember, jsonObjectText, raw, type Sql, sql, timestampText } from '@fibre/database';
import { IN_FORCE, joinInForce } from '../timeline/steps.sql.js';
import { subscriptionJson } from '../timeline/subscription.sql.js';
import { eventAtText } from '../timeline/timeline.sql.js';

/** A value of the last subscription, while it runs. */
const running = (column: string): string => `case when n.state = 'active' then n.${column} end`;

/** The members of an `EntityResponse` in SQL; `n` is a row of {@link selectEntities}. */
export const ENTITY_MEMBERS: readonly JsonMember[] = [
  { name: 'entity_id', sql: 'n.entity_id', as: 'plain' },
  { name: 'state', sql: 'n.state', as: 'plain' },
  { name: 'since', sql: eventAtText('n.since'), as: 'plain' },
  { name: 'partner_id', sql: running('partner_id'), as: 'plain', optional: true },
  { name: 'article_codes', sql: 'n.article_codes', as: 'json', optional: true },
  { name: 'option82', sql: running('option82'), as: 'text', optional: true },
  { name: 'partner_reference', sql: running('partner_reference'), as: 'text', optional: true },
  { name: 'last_subscription', sql: `case when n.state = 'inactive' then ${subscriptionJson('n')} end`, as: 'json', optional: true },
  { name: 'last_event_id', sql: 'n.last_event_id', as: 'plain' },
  { name: 'tenant', sql: 'n.tenant', as: 'plain' },
  { name: 'created_at', sql: timestampText('n.created_at'), as: 'plain' },
  { name: 'modified_at', sql: timestampText('n.modified_at'), as: 'plain' },
];

export const ENTITY_JSON = jsonObjectText(ENTITY_MEMBERS);

/** How a statement reads the state and the subscription of a timeline `t`. */
export interface StateSource {
  readonly joins: Sql;
  /** Whether the entity exists. */
  readonly exists: Sql;
  /** Article codes as an array. */
  readonly articles: Sql;
  /** Those of the subscription are those of the last one, if none runs; the articles are null then. */
  readonly columns: Readonly<Record<'state' | 'since' | 'partner_id' | 'article_codes' | 'option82' | 'partner_reference', Sql>>;
}

/** The state as stored in the timeline, which each new event updates. */
export const STATE_NOW: StateSource = {
  joins: sql``,
  exists: sql`true`,
  articles: sql`t.article_codes`,
  columns: {
    state: sql`t.state`,
    since: sql`t.state_since`,
    partner_id: sql`t.partner_id`,
    article_codes: sql`array_to_json(t.article_codes)::text`,
    option82: sql`t.option82`,
    partner_reference: sql`t.partner_reference`,
  },
};

/** The state according to what {@link joinInForce} joins. */
const STATE_THEN: StateSource['columns'] = {
  state: sql`case when last.event_at is null then 'announced' when last.event_type = 'deactivation' then 'inactive' else 'active' end`,
  since: sql`case when last.event_type <> 'deactivation' then activation.event_at else coalesce(last.event_at, notification.event_at) end`,
  partner_id: raw(`${IN_FORCE.partner_id}::uuid`),
  article_codes: sql`(last.sys_attributes -> 'article_codes')::text`,
  option82: raw(IN_FORCE.option82),
  partner_reference: raw(IN_FORCE.partner_reference),
};
const NAMES = Object.keys(STATE_THEN) as (keyof StateSource['columns'])[];

/**
 * The state at an instant: from the timeline if its last lifecycle event is not later, otherwise from the events up to the instant.
 *
 * @param at SQL expression for the instant
 * @param ofTimeline condition that an event `e` belongs to the timeline `t`
 */
export function stateAt(at: Sql, ofTimeline: Sql): StateSource {
  const isStateNow = sql`(t.lifecycle_at <= ${at}) is true`;
  const ofEarlierState = sql`not (${isStateNow}) and ${ofTimeline}`;
  const orNow = (now: Sql, then: Sql): Sql => sql`case when ${isStateNow} then ${now} else ${then} end`;
  return {
    joins: sql`${joinInForce(at, ofEarlierState)}
      left join lateral (
        select e.event_at from event e
        where ${ofEarlierState} and e.event_at <= ${at} and e.event_type = 'notification' and last.event_at is null
        order by e.event_at limit 1
      ) notification on true`,
    exists: sql`(${isStateNow} or coalesce(last.event_at, notification.event_at) is not null)`,
    articles: orNow(STATE_NOW.articles, sql`array(select json_array_elements_text(last.sys_attributes -> 'article_codes'))`),
    columns: Object.fromEntries(
      NAMES.map((name) => [name, orNow(STATE_NOW.columns[name], STATE_THEN[name])]),
    ) as unknown as StateSource['columns'],
  };
}

/** Selects entities `n`, one per timeline `t`. @param timelines SQL that has these timelines, instead of all */
export const selectEntities = ({ joins, columns }: StateSource, timelines = sql`timeline t`): Sql => sql`
    select t.entity_id, t.tenant, ${join(
      NAMES.map((name) => sql`${columns[name]} as ${raw(name)}`),
      ', ',
    )},
      t.last_event_id, t.created_at, t.modified_at
    from ${timelines}${joins}`;
