import { bound, join, raw, type Sql, sql, type Statement, statement } from '@fibre/database';
import { eventAtText, inScope } from '../timeline/timeline.sql.js';
import type { LifecycleType, NamedEvent, TimelineKey } from '../timeline/timeline.js';
import { type RequestedEvent, USER_ATTRIBUTE_NAMES, USER_ATTRIBUTES, type UserAttributes } from './event.js';
import { EVENT_JSON, userAttributeText } from './event-json.sql.js';

const JSON_TEXT = raw(EVENT_JSON);

const STORED_ATTRIBUTES = raw(USER_ATTRIBUTE_NAMES.map(userAttributeText).join(', '));
const EVENT_AT = raw(eventAtText('e.event_at'));

/** The stored event that equals the new one or took place at the same instant. */
export interface ExistingEvent extends NamedEvent {
  readonly same_core: boolean;
  readonly same_user: boolean;
  /** The whole event. */
  readonly json: string;
}

/** A snapshot of the timeline around a new event. */
export interface TimelineState {
  /** The version, 0 if the entity has no event, and the database's time of the snapshot. */
  readonly head: { readonly version: number; readonly now: Date };
  readonly previous?: NamedEvent<LifecycleType>;
  readonly next?: NamedEvent<LifecycleType>;
  readonly existing?: ExistingEvent;
}

/**
 * Reads in one snapshot what a new event depends on, as rows with a `role`, a member of {@link TimelineState}. `existing` is the identical
 * notification, or the lifecycle event at the same instant, identical or not. `previous` and `next` are the neighbours of a lifecycle event.
 */
export function readTimeline(key: TimelineKey, requested: RequestedEvent): Statement {
  const [at, sysHash, type] = [requested.at.utc, requested.sysHash, requested.type].map(bound);
  const isOf = inScope(key);
  const head = sql`
    select
      'head' as role,
      coalesce(max(t.version), 0) as version,
      clock_timestamp() as now,
      null::uuid as event_id,
      null as event_type,
      null as event_at,
      false as same_core,
      false as same_user,
      null as json
    from timeline t
    where ${isOf('t')}`;
  const neighbour = (role: string, earlierOrLater: string, order: string): Sql => sql`
    (select ${raw(`'${role}'`)}, null, null, e.event_id, e.event_type, ${EVENT_AT}, false, false, null
    from event e
    where ${isOf('e')}
      and e.event_type <> 'notification'
      and e.event_at ${raw(earlierOrLater)} ${at}::timestamptz
    order by e.event_at ${raw(order)}
    limit 1)`;
  const sent = join(
    USER_ATTRIBUTE_NAMES.map((name) => sql`${bound(requested.user[name])}::text`),
    ', ',
  );
  const existing = (condition: Sql): Sql => sql`
    (select 'existing', null, null, e.event_id, e.event_type, ${EVENT_AT},
      e.sys_hash = ${sysHash}::uuid and e.event_type = ${type},
      e.erased_at is not null or (${STORED_ATTRIBUTES}) is not distinct from (${sent}),
      ${JSON_TEXT}
    from event e
    where ${isOf('e')}
      and e.event_at = ${at}::timestamptz
      and ${condition})`;
  // Only an identical notification can conflict with a notification.
  const rows =
    requested.type === 'notification'
      ? [head, existing(sql`e.sys_hash = ${sysHash}::uuid and e.event_type = 'notification'`)]
      : [head, neighbour('previous', '<', 'desc'), neighbour('next', '>', 'asc'), existing(sql`e.event_type <> 'notification'`)];
  return statement('events-read-timeline')`${join(rows, ' union all')}`;
}

/** An object of attributes as a parameter. Canonical JSON is passed unchanged, because its text is stored and compared. */
function attributesOf(texts: Record<string, unknown>, json: Record<string, string | null>, user: UserAttributes): string {
  const [allTexts, allJson] = [{ ...texts }, { ...json }];
  for (const name of USER_ATTRIBUTE_NAMES) (USER_ATTRIBUTES[name] === 'json' ? allJson : allTexts)[name] = user[name];
  const members = Object.entries(allJson).map(([name, value]) => `,"${name}":${value}`);
  return `${JSON.stringify(allTexts).slice(0, -1)}${members.join('')}}`;
}

/** What became of an event that was to be written: `json`, unless nothing was written. */
export interface Written {
  /**
   * Of an event that was to be added: `stale` means that the timeline has changed since it was read, `no-isp` that the ISP that the event
   * needs is not registered.
   */
  readonly outcome?: 'added' | 'stale' | 'no-isp';
  readonly event_id?: string;
  readonly json?: string | null;
}

const WRITTEN = sql`
      e.event_id,
      case when e.event_id is not null then ${JSON_TEXT} end as json`;
const IS_ADDED = sql`when e.event_id is null then 'stale' else 'added' end as outcome, ${WRITTEN}`;

/**
 * Adds an event if the timeline still has the version that was read and the ISP, if the event needs one, is registered: {@link Written}.
 *
 * @param read the version that was read, 0 if there was no timeline, and whether the event is the last lifecycle event by `event_at`
 */
export function appendEvent(key: TimelineKey, read: { version: number; isLast: boolean }, requested: RequestedEvent): Statement {
  const texts = {
    namespace_id: key.namespaceId,
    entity_id: key.entityId,
    event_type: requested.type,
    sys_hash: requested.sysHash,
    event_at: requested.at.utc,
    event_timezone: requested.timezone,
    event_date: requested.at.date,
    created_by: requested.actor,
  };
  const attributes = attributesOf(texts, { sys_attributes: requested.sysAttributes }, requested.user);
  const [shardKey, owner, version, isLast, event] = [key.shardKey, key.tenant, read.version, read.isLast, attributes].map(bound);
  const append = (tenant: Sql): Sql =>
    sql`append_event(${shardKey}::smallint, ${tenant}, ${version}::integer, ${isLast}::boolean, ${event}::json)`;
  const text = sql`${owner}::text`;
  const { isp } = requested;
  // The call has only plain parameters; otherwise Citus would not send it to the worker with the shard.
  if (!isp)
    return statement('events-append')`
    select case ${IS_ADDED}
    from ${append(text)} e`;
  // The ISP's row stays locked until the event is visible to everyone, so nobody can delete the ISP in the meantime. The tenant that is
  // passed to the function comes from that row, so every plan locks the row first. On Citus, the call stays on the coordinator, which has
  // the ISP table: all statements of the function go to one worker, which commits before the coordinator releases the lock (docs/adr/0014).
  const heldIsp = sql`(select 1) as one
    left join (
      select i.tenant
      from isp i
      where i.tenant = ${text}
        and i.namespace_id = ${key.namespaceId}::uuid
        and i.partner_id = ${isp.partnerId}::uuid
      for key share
    ) i on true`;
  // Without a tenant, the function does nothing.
  const tenant = sql`coalesce(i.tenant, ${bound(isp.isRequired ? null : key.tenant)}::text)`;
  return statement('events-append-naming')`
    select case when ${tenant} is null then 'no-isp' ${IS_ADDED}
    from ${heldIsp}
    cross join lateral ${append(tenant)} e`;
}

/** Replaces all user attributes of an event if they differ: {@link Written}. */
export const overwriteUserAttributes = (
  { shardKey, tenant, namespaceId }: TimelineKey,
  eventId: string,
  { user, actor }: Pick<RequestedEvent, 'user' | 'actor'>,
): Statement =>
  statement('events-overwrite')`
    select ${WRITTEN}
    from overwrite_event(
      ${shardKey}::smallint,
      ${tenant}::text,
      ${namespaceId}::uuid,
      ${eventId}::uuid,
      ${attributesOf({ modified_by: actor }, {}, user)}::json
    ) e`;

/** One event, as `json`. */
export const selectEvent = (key: Omit<TimelineKey, 'entityId'>, eventId: string): Statement =>
  statement('events-by-id')`
    select ${JSON_TEXT} as json
    from event e
    where ${inScope(key)('e')}
      and e.event_id = ${eventId}`;
