import { jsonObjectText, type JsonMember, type Statement, statementOf, timestampText } from '@fibre/database';
import { eventAtText } from '../timeline/timeline.sql.js';
import type { TimelineKey } from '../timeline/timeline.js';
import { type RequestedEvent, USER_ATTRIBUTE_NAMES, USER_ATTRIBUTES, type UserAttribute, type UserAttributes } from './event.js';

/** SQL expression for a user attribute as text; `e` is the table. */
const userAttributeText = (name: UserAttribute): string => `e.${name}${USER_ATTRIBUTES[name] === 'json' ? '::text' : ''}`;

/** The members of an `EventResponse` in SQL; `e` is the table. */
export const EVENT_MEMBERS: readonly JsonMember[] = [
  { name: 'event_id', sql: 'e.event_id', as: 'plain' },
  { name: 'entity_id', sql: 'e.entity_id', as: 'plain' },
  { name: 'event_type', sql: 'e.event_type', as: 'plain' },
  { name: 'event_at', sql: eventAtText('e.event_at'), as: 'plain' },
  { name: 'event_timezone', sql: 'e.event_timezone', as: 'plain' },
  { name: 'sys_attributes', sql: 'e.sys_attributes::text', as: 'json', optional: true },
  ...USER_ATTRIBUTE_NAMES.map((name) => ({ name, sql: userAttributeText(name), as: USER_ATTRIBUTES[name], optional: true })),
  { name: 'tenant', sql: 'e.tenant', as: 'plain' },
  { name: 'created_at', sql: timestampText('e.created_at'), as: 'plain' },
  { name: 'modified_at', sql: timestampText('e.modified_at'), as: 'plain' },
];

/**
 * SQL expression for the JSON text of an `EventResponse`; `e` is the table. Every response uses it: attributes are stored as the JSON text
 * of the response, and microseconds never pass through a `Date`.
 */
export const EVENT_JSON = jsonObjectText(EVENT_MEMBERS);

const keyValues = ({ shardKey, tenant, namespaceId, entityId }: TimelineKey): unknown[] => [shardKey, tenant, namespaceId, entityId];
const userValues = (user: UserAttributes): unknown[] => USER_ATTRIBUTE_NAMES.map((name) => user[name]);

/** The user attributes as SQL parameters, starting with `$first`. */
const userParameters = (first: number): string[] => USER_ATTRIBUTE_NAMES.map((_name, index) => `$${first + index}`);
const USER_ATTRIBUTES_TEXT = `(${USER_ATTRIBUTE_NAMES.map(userAttributeText).join(', ')})`;
const sentText = (first: number): string =>
  `(${userParameters(first)
    .map((parameter) => `${parameter}::text`)
    .join(', ')})`;

const OF_TIMELINE = 'e.shard_key = $1 and e.tenant = $2 and e.namespace_id = $3 and e.entity_id = $4';
const HEAD = `
    select 'head' as role, coalesce(max(t.version), 0) as version, clock_timestamp() as now, null::uuid as event_id, null as event_type,
      null as event_at, false as same_core, false as same_user, null as json
    from timeline t
    where t.shard_key = $1 and t.tenant = $2 and t.namespace_id = $3 and t.entity_id = $4`;

const neighbour = (role: string, condition: string, order: string): string => `
    (select '${role}', null, null, e.event_id, e.event_type, ${eventAtText('e.event_at')}, false, false, null
    from event e
    where ${OF_TIMELINE} and e.event_type <> 'notification' and e.event_at ${condition} $5::timestamptz
    order by e.event_at ${order} limit 1)`;

const existing = (condition: string): string => `
    (select 'existing', null, null, e.event_id, e.event_type, ${eventAtText('e.event_at')}, e.sys_hash = $6::uuid and e.event_type = $7,
      ${USER_ATTRIBUTES_TEXT} is not distinct from ${sentText(8)}, ${EVENT_JSON}
    from event e
    where ${OF_TIMELINE} and e.event_at = $5::timestamptz and ${condition})`;

/** Only an identical notification can conflict with a notification. */
const FOR_NOTIFICATION = [HEAD, existing(`e.sys_hash = $6::uuid and e.event_type = 'notification'`)];
const FOR_LIFECYCLE = [
  ...[HEAD, neighbour('previous', '<', 'desc'), neighbour('next', '>', 'asc')],
  existing(`e.event_type <> 'notification'`),
];

/**
 * Reads in one snapshot what a new event depends on, as rows with a `role`: `head` has the version of the timeline, 0 if there is none,
 * and the database's time. `existing` is the
 * identical notification, or the lifecycle event at the same instant, identical or not. `previous` and `next` are the neighbours of a
 * lifecycle event.
 */
export function readTimeline(key: TimelineKey, { type, at, sysHash, user }: RequestedEvent): Statement {
  const parts = type === 'notification' ? FOR_NOTIFICATION : FOR_LIFECYCLE;
  return statementOf('events-read-timeline', parts.join(' union all'), [...keyValues(key), at.utc, sysHash, type, ...userValues(user)]);
}

/** An object of attributes as a parameter. Canonical JSON is passed unchanged, because its text is stored and compared. */
function attributesOf(texts: Record<string, unknown>, json: Record<string, string | null>, user: UserAttributes): string {
  const [allTexts, allJson] = [{ ...texts }, { ...json }];
  for (const name of USER_ATTRIBUTE_NAMES) (USER_ATTRIBUTES[name] === 'json' ? allJson : allTexts)[name] = user[name];
  const members = Object.entries(allJson).map(([name, value]) => `,"${name}":${value}`);
  return `${JSON.stringify(allTexts).slice(0, -1)}${members.join('')}}`;
}

/** What became of an event that was to be added, as `outcome`. If it was `added`, `event_id` and `json` are not null. */
export interface Appended {
  /** `stale`: the timeline has changed since it was read; `no-isp`: the ISP that the event needs is not registered. */
  readonly outcome: 'added' | 'stale' | 'no-isp';
  readonly event_id: string;
  readonly json: string;
}

const append = (tenant: string): string => `append_event($1::smallint, ${tenant}, $3::integer, $4::boolean, $5::json)`;
const WRITTEN_JSON = `case when e.event_id is not null then ${EVENT_JSON} end as json`;
const IS_ADDED = `when e.event_id is null then 'stale' else 'added' end as outcome, e.event_id, ${WRITTEN_JSON}`;
/**
 * The ISP's row stays locked until the event is visible to everyone, so nobody can delete the ISP in the meantime. The tenant that is
 * passed to the function comes from that row, so every plan locks the row first. On Citus, the call stays on the coordinator, which has the
 * ISP table: all statements of the function go to one worker, which commits before the coordinator releases the lock (docs/adr/0014).
 */
const HELD_ISP = `(select 1) as one left join (
      select i.tenant from isp i
      where i.tenant = $2::text and i.namespace_id = $6::uuid and i.partner_id = $7::uuid for key share
    ) i on true`;

/**
 * Adds an event if the timeline still has the version that was read and the ISP, if the event needs one, is registered: {@link Appended}.
 *
 * @param read the version that was read, 0 if there was no timeline, and whether the event is the last lifecycle event by `event_at`
 */
export function appendEvent(key: TimelineKey, read: { version: number; isLast: boolean }, requested: RequestedEvent): Statement {
  const texts = {
    ...{ namespace_id: key.namespaceId, entity_id: key.entityId, event_type: requested.type, sys_hash: requested.sysHash },
    ...{ event_at: requested.at.utc, event_timezone: requested.timezone, event_date: requested.at.date },
  };
  const attributes = attributesOf(texts, { sys_attributes: requested.sysAttributes }, requested.user);
  const values = [key.shardKey, key.tenant, read.version, read.isLast, attributes];
  const { isp } = requested;
  // The call has only plain parameters; otherwise Citus would not send it to the worker with the shard.
  if (!isp) return statementOf('events-append', `select case ${IS_ADDED} from ${append('$2::text')} e`, values);
  // Without a tenant, the function does nothing.
  const [label, begin, tenant] = isp.isRequired
    ? ['events-append-registered', `case when i.tenant is null then 'no-isp'`, 'i.tenant']
    : ['events-append-named', 'case', 'coalesce(i.tenant, $2::text)'];
  const text = `select ${begin} ${IS_ADDED} from ${HELD_ISP} cross join lateral ${append(tenant)} e`;
  return statementOf(label, text, [...values, key.namespaceId, isp.partnerId]);
}

/** Replaces all user attributes of an event if they differ. Returns `json`, which is null if nothing was written. */
export const overwriteUserAttributes = (key: TimelineKey, eventId: string, user: UserAttributes): Statement =>
  statementOf('events-overwrite', `select ${WRITTEN_JSON} from overwrite_event($1::smallint, $2::text, $3::uuid, $4::uuid, $5::json) e`, [
    key.shardKey,
    key.tenant,
    key.namespaceId,
    eventId,
    attributesOf({}, {}, user),
  ]);

/** One event, as `json`. */
export const selectEvent = ({ shardKey, tenant, namespaceId }: Omit<TimelineKey, 'entityId'>, eventId: string): Statement =>
  statementOf(
    'events-by-id',
    `
    select ${EVENT_JSON} as json from event e
    where e.shard_key = $1 and e.tenant = $2 and e.namespace_id = $3 and e.event_id = $4`,
    [shardKey, tenant, namespaceId, eventId],
  );
