import { given, jsonObjectText, type JsonMember, raw, sql, type Statement, statement } from '@fibre/database';
import type { Timestamp } from '@fibre/dto';
import { selectSteps } from '../timeline/steps.sql.js';
import { eventAtText, inScope, sameTimeline } from '../timeline/timeline.sql.js';
import type { TimelineKey } from '../timeline/timeline.js';
import { ENTITY_MEMBERS, selectEntities, STATE_NOW, stateAt } from './entity-state.sql.js';

/** Maximum number of steps that a single read returns. */
export const MAX_STEPS = 1_000;

const STEP_MEMBERS: readonly JsonMember[] = [
  { name: 'from', sql: eventAtText('s.began'), as: 'plain' },
  { name: 'article_codes', sql: 's.article_codes::text', as: 'json' },
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

const [STEP_JSON, SINGLE_JSON] = [STEP_MEMBERS, SINGLE_MEMBERS].map((members) => raw(jsonObjectText(members)));

/**
 * One entity with its periods, derived from its events up to an instant or from all of them, as `json`; no row if it has no such events.
 * Only the newest steps are shown, but the subscription of the oldest step shown is read from its activation on: the activation names the
 * partner, and any of the subscription's events may have set a value that still applies.
 */
export function selectEntity(key: TimelineKey, at?: Timestamp): Statement {
  const ofEntity = inScope(key);
  const instant = given(at, ({ utc }) => sql`${utc}::timestamptz`);
  const source = instant ? stateAt(instant, sql`${raw(sameTimeline('e', 't'))} and ${ofEntity('e')}`) : STATE_NOW;
  const lifecycle = sql`${ofEntity('e')} and e.event_type <> 'notification'${instant && sql` and e.event_at <= ${instant}`}`;
  const steps = sql`select e.* from event e where ${lifecycle} and e.event_at >= (select a.event_at from first_activation a)`;
  return statement('entities-single')`
    with newest as (
      select e.event_at from event e where ${lifecycle} and e.event_type <> 'deactivation' order by e.event_at desc limit ${raw(MAX_STEPS)} + 1
    ),
    shown as (select min(n.event_at) as since from (select n.event_at from newest n order by n.event_at desc limit ${raw(MAX_STEPS)}) n),
    first_activation as (
      select e.event_at from event e
      where ${lifecycle} and e.event_type = 'activation' and e.event_at <= (select h.since from shown h) order by e.event_at desc limit 1
    ),
    step as (${selectSteps(steps)}),
    period as (
      select min(s.began) as began, case when bool_and(s.ended is not null) then max(s.ended) end as ended, max(s.partner_id) as partner_id,
        string_agg(${STEP_JSON}, ',' order by s.began) filter (where s.began >= (select h.since from shown h)) as steps
      from step s group by s.period
    )
    select ${SINGLE_JSON} as json
    from (${selectEntities(source)} where ${ofEntity('t')} and ${source.exists}) n`;
}

/**
 * Clears the personal data of an entity: `found` says whether there is such an entity.
 *
 * @param actor who erases it; null if the service does so by itself
 * @param inactiveBefore if set, the entity must also have been inactive since before this instant
 */
export const eraseEntity = (
  { shardKey, tenant, namespaceId, entityId }: TimelineKey,
  actor: string | null,
  withLine: boolean,
  inactiveBefore?: Date,
): Statement =>
  statement('entities-erase')`select e.found
    from erase_entity(${shardKey}::smallint, ${tenant}::text, ${namespaceId}::uuid, ${entityId}::uuid, ${withLine}::boolean, ${inactiveBefore ?? null}::timestamptz, ${actor}::text) e (found)`;

/** Maximum number of entities that are erased at once; the next run erases more. */
const INACTIVE_AT_ONCE = 10_000;

/** Keys of entities of all tenants that have been inactive since before an instant and have events that are not erased, as `TimelineKey`. */
export const selectInactive = (before: Date): Statement =>
  statement('entities-inactive')`
    select t.shard_key as "shardKey", t.tenant, t.namespace_id as "namespaceId", t.entity_id as "entityId"
    from timeline t where t.state = 'inactive' and not t.erased and t.state_since < ${before}
    order by t.state_since limit ${raw(INACTIVE_AT_ONCE)}`;
