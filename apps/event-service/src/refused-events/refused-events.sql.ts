import {
  bound,
  given,
  join,
  type JsonMember,
  jsonObjectText,
  type Listing,
  pageBy,
  raw,
  sql,
  type Statement,
  statement,
  timestampText,
} from '@fibre/database';
import { eventAtText } from '../timeline/timeline.sql.js';

/** An event that was refused, as it is stored: when, by whom it was sent, what it was, and why. */
export interface RefusedEvent {
  readonly tenant: string;
  /** UUIDv7 of `refused_at`. */
  readonly refused_id: string;
  readonly refused_at: Date;
  /** Null if the token did not say. */
  readonly sent_by: string | null;
  /** Nil UUID for production. */
  readonly namespace_id: string;
  readonly entity_id: string;
  readonly event_type: string;
  readonly event_at: string;
  readonly event_timezone: string;
  /** Canonical JSON. */
  readonly sys_attributes: string | null;
  /** The body of the response, as JSON. */
  readonly problem: string;
}

/** Maximum number of refused events that are kept for one tenant, in all its namespaces. */
export const MOST_PER_TENANT = 1_000;
/** Days for which a refused event is kept. */
const KEPT_DAYS = 7;

const TYPES: Readonly<Record<keyof RefusedEvent, string>> = {
  tenant: 'text',
  refused_id: 'uuid',
  refused_at: 'timestamptz',
  sent_by: 'text',
  namespace_id: 'uuid',
  entity_id: 'uuid',
  event_type: 'text',
  event_at: 'timestamptz',
  event_timezone: 'text',
  sys_attributes: 'text',
  problem: 'text',
};
const COLUMNS = Object.keys(TYPES) as (keyof RefusedEvent)[];

/** Stores refused events. The JSON of a row travels as text within the JSON of all rows, so that it is stored as it is. */
export const insertRefused = (refused: readonly RefusedEvent[]): Statement =>
  statement('refused-events-insert')`
    insert into refused_event (${raw(COLUMNS.join(', '))})
    select ${raw(COLUMNS.map((column) => (column === 'sys_attributes' || column === 'problem' ? `r.${column}::json` : `r.${column}`)).join(', '))}
    from json_to_recordset(${JSON.stringify(refused)}::json) as r (${raw(COLUMNS.map((column) => `${column} ${TYPES[column]}`).join(', '))})`;

/** Deletes what these tenants have beyond the newest {@link MOST_PER_TENANT}. */
export const deleteSurplus = (tenants: readonly string[]): Statement =>
  statement('refused-events-delete-surplus')`
    delete from refused_event r
    using unnest(${tenants}::text[]) t (tenant) cross join lateral (
      select s.refused_id from refused_event s where s.tenant = t.tenant order by s.refused_id desc offset ${raw(MOST_PER_TENANT)} limit 1
    ) newest
    where r.tenant = t.tenant and r.refused_id <= newest.refused_id`;

/** Deletes what is too old. */
export const deleteOld = (now: Date): Statement =>
  statement('refused-events-delete-old')`
    delete from refused_event r where r.refused_at < ${now}::timestamptz - interval '${raw(KEPT_DAYS)} days'`;

/** Deletes the refused events of an entity. */
export const deleteOfEntity = (tenant: string, namespaceId: string, entityId: string): Statement =>
  statement('refused-events-delete-of-entity')`
    delete from refused_event r
    where r.tenant = ${tenant} and r.namespace_id = ${namespaceId}::uuid and r.entity_id = ${entityId}::uuid`;

const MEMBERS: readonly JsonMember[] = [
  { name: 'refused_id', sql: 'r.refused_id', as: 'plain' },
  { name: 'refused_at', sql: timestampText('r.refused_at'), as: 'plain' },
  { name: 'sent_by', sql: 'r.sent_by', as: 'text', optional: true },
  { name: 'entity_id', sql: 'r.entity_id', as: 'plain' },
  { name: 'event_type', sql: 'r.event_type', as: 'plain' },
  { name: 'event_at', sql: eventAtText('r.event_at'), as: 'plain' },
  { name: 'event_timezone', sql: 'r.event_timezone', as: 'plain' },
  { name: 'sys_attributes', sql: 'r.sys_attributes::text', as: 'json', optional: true },
  { name: 'problem', sql: 'r.problem::text', as: 'json' },
  { name: 'tenant', sql: 'r.tenant', as: 'text' },
];

/** The refused events of a namespace, or of one entity in it. Few are kept, so that no index but the key's is needed. */
export function refusedEvents(tenant: string, namespaceId: string, entityId?: string): Listing {
  const matching = sql`from refused_event r where ${join(
    [sql`r.tenant = ${tenant} and r.namespace_id = ${namespaceId}::uuid`, given(entityId, (id) => sql`r.entity_id = ${bound(id)}::uuid`)],
    ' and ',
  )}`;
  return {
    label: 'refused-events',
    alias: 'r',
    json: jsonObjectText(MEMBERS),
    order: [{ column: 'refused_id', type: 'uuid' }],
    records: (place) => sql`select r.* ${matching} ${pageBy('r.refused_id', place)}`,
    rows: sql`select 1 ${matching}`,
  };
}
