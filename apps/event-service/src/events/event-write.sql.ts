import type { Statement } from '@fibre/database';
import type { Creation, RequestedEvent, TimelineKey, UserAttributes } from './event.js';
import { EVENT_JSON, eventAtText } from './event.response.js';

const keyValues = ({ shardKey, tenant, namespaceId, entityId }: TimelineKey): unknown[] => [shardKey, tenant, namespaceId, entityId];
const userValues = ({ usrReference, usrAttributes, comment }: UserAttributes): unknown[] => [usrReference, usrAttributes, comment];

const OF_TIMELINE = 'e.shard_key = $1 and e.tenant = $2 and e.namespace_id = $3 and e.entity_id = $4';
const HEAD = `
    select 'head' as role, t.version, null::uuid as event_id, null as event_type, null as event_at, false as same_core, false as same_user, null as json
    from timeline t
    where t.shard_key = $1 and t.tenant = $2 and t.namespace_id = $3 and t.entity_id = $4`;

const neighbour = (role: string, condition: string, order: string): string => `
    (select '${role}', null, e.event_id, e.event_type, ${eventAtText('e.event_at')}, false, false, null
    from event e
    where ${OF_TIMELINE} and e.event_type <> 'notification' and e.event_at ${condition} $5::timestamptz
    order by e.event_at ${order} limit 1)`;

const atSameInstant = (core: string, condition: string): string => `
    (select 'existing', null, e.event_id, e.event_type, ${eventAtText('e.event_at')} as event_at, ${core} as same_core,
      (e.usr_reference, e.usr_attributes::text, e.comment) is not distinct from ($6::text, $7::text, $8::text) as same_user,
      ${EVENT_JSON} as json
    from event e
    where ${OF_TIMELINE} and e.event_at = $5::timestamptz and ${condition})`;

const LIFECYCLE_AT_SAME_INSTANT = atSameInstant('e.event_type = $9::text and e.sys_hash = $10::uuid', `e.event_type <> 'notification'`);
const lifecycleValues = (key: TimelineKey, requested: RequestedEvent): unknown[] => [
  ...[...keyValues(key), requested.at.utc, ...userValues(requested)],
  ...[requested.type, requested.sysHash],
];

/**
 * Reads the head of a timeline, which decides a lifecycle event after all others: `version`, the last one yet, and whether the `place` of
 * the requested one is `after` that or `same`; null elsewhere, and where the head is of an older release. No row when there is no event.
 */
export const readHead = (key: TimelineKey, requested: RequestedEvent): Statement => ({
  name: 'events-read-head',
  text: `
    select t.version,
      case when t.lifecycle_version = t.version then
        case when t.lifecycle_at = $5::timestamptz then 'same' when (t.lifecycle_at < $5::timestamptz) is not false then 'after' end
      end as place,
      t.lifecycle_id as event_id, t.lifecycle_type as event_type, ${eventAtText('t.lifecycle_at')} as event_at
    from timeline t
    where t.shard_key = $1 and t.tenant = $2 and t.namespace_id = $3 and t.entity_id = $4`,
  values: [...keyValues(key), requested.at.utc],
});

/** Reads the lifecycle event at the instant of the requested one, whether the identical one or another: a row as `existing` below, or none. */
export const readAtInstant = (key: TimelineKey, requested: RequestedEvent): Statement => ({
  name: 'events-read-at-instant',
  text: LIFECYCLE_AT_SAME_INSTANT,
  values: lifecycleValues(key, requested),
});

/**
 * Reads in one snapshot what decides any lifecycle event, as rows by `role`: `head` has the version of the timeline, `previous`
 * and `next` are the neighbours, `existing` is the lifecycle event at the same instant, whether the identical one or another.
 */
export const readForLifecycle = (key: TimelineKey, requested: RequestedEvent): Statement => ({
  name: 'events-read-for-lifecycle',
  text: [HEAD, neighbour('previous', '<', 'desc'), neighbour('next', '>', 'asc'), LIFECYCLE_AT_SAME_INSTANT].join(' union all'),
  values: lifecycleValues(key, requested),
});

/** Reads what decides a notification: `head`, and as `existing` the identical one. Nothing else can stand in its way. */
export const readForNotification = (key: TimelineKey, requested: RequestedEvent): Statement => ({
  name: 'events-read-for-notification',
  text: [HEAD, atSameInstant('true', `e.sys_hash = $9::uuid and e.event_type = 'notification'`)].join(' union all'),
  values: [...keyValues(key), requested.at.utc, ...userValues(requested), requested.sysHash],
});

const appended = (source: string): string => `
    select case when e.event_id is not null then ${EVENT_JSON} end as json from ${source} e`;

/** A call of the function whose `$2` and `$3` are these expressions. */
const append = (tenant: string, namespaceId: string): string => `append_event(
      $1::smallint, ${tenant}, ${namespaceId}, $4::uuid, $5::integer, $6::boolean, $7::uuid, $8::text, $9::timestamptz, $10::text, $11::date,
      $12::json, $13::uuid, $14::text, $15::json, $16::text, $17::timestamptz
    )`;

/**
 * Adds an event if the timeline is still at the version that was read, else nothing: `json`, or null.
 *
 * Its values are parameters and nothing else, or Citus would not send the call to the worker that has the shard.
 *
 * @param read version that was read, 0 when there was no timeline; whether the event is the last lifecycle event by `event_at`
 */
export const appendEvent = (
  key: TimelineKey,
  read: { version: number; isLast: boolean },
  requested: RequestedEvent,
  { eventId, now }: Creation,
): Statement => ({
  name: 'events-append',
  text: appended(append('$2::text', '$3::uuid')),
  values: [
    ...keyValues(key),
    ...[read.version, read.isLast],
    eventId,
    ...[requested.type, requested.at.utc, requested.timezone, requested.at.date, requested.sysAttributes, requested.sysHash],
    ...userValues(requested),
    now,
  ],
});

/**
 * Adds an activation as {@link appendEvent} does, and no row if its ISP is not in the registry.
 *
 * The row of the ISP stays locked until the event is there for all to see, so that nobody deletes it meanwhile. That the function takes its
 * arguments from that row is what makes any plan lock it first. On Citus the call stays on the coordinator, where the table of the ISPs is:
 * both statements of the function go to the one worker, which commits before the coordinator lets go of the lock.
 */
export const appendActivation = (isp: string, ...event: Parameters<typeof appendEvent>): Statement => ({
  name: 'events-append-activation',
  text: appended(`(
      select i.tenant, i.namespace_id from isp i
      where i.tenant = $2::text and i.namespace_id = $3::uuid and i.partner_id = $18::uuid for key share
    ) i cross join lateral ${append('i.tenant', 'i.namespace_id')}`),
  values: [...appendEvent(...event).values, isp],
});

/**
 * Replaces the user attributes of an event as a whole, if they are still others: `json`, or no row. The row decides
 * between requests that do this at once. `modified_at` moves even within a millisecond; without a zone, because the time of a
 * zone plus an interval may depend on the session, which Citus refuses here, as it does such functions in `returning`.
 */
export const overwriteUserAttributes = (key: TimelineKey, eventId: string, attributes: UserAttributes, now: Date): Statement => ({
  name: 'events-overwrite',
  text: `
    with changed as (
      update event e
      set usr_reference = $5, usr_attributes = $6::json, comment = $7, overwritten = true,
        modified_at = greatest($8::timestamptz, (e.modified_at at time zone 'UTC' + interval '1 millisecond') at time zone 'UTC')
      where e.shard_key = $1 and e.tenant = $2 and e.namespace_id = $3 and e.event_id = $4
        and (e.usr_reference, e.usr_attributes::text, e.comment) is distinct from ($5::text, $6::text, $7::text)
      returning e.*
    )
    select ${EVENT_JSON} as json from changed e`,
  values: [key.shardKey, key.tenant, key.namespaceId, eventId, ...userValues(attributes), now],
});

/** The id that a listing of events ends with: `event_id`, or no row. */
export const selectNewestId = ({ tenant, namespaceId }: Pick<TimelineKey, 'tenant' | 'namespaceId'>): Statement => ({
  name: 'events-newest-id',
  text: `select e.event_id from event e where e.tenant = $1 and e.namespace_id = $2 order by e.event_id desc limit 1`,
  values: [tenant, namespaceId],
});

/** One event: `json`. */
export const selectEvent = ({ shardKey, tenant, namespaceId }: Omit<TimelineKey, 'entityId'>, eventId: string): Statement => ({
  name: 'events-by-id',
  text: `
    select ${EVENT_JSON} as json from event e
    where e.shard_key = $1 and e.tenant = $2 and e.namespace_id = $3 and e.event_id = $4`,
  values: [shardKey, tenant, namespaceId, eventId],
});
