import { bound, given, join, raw, type Sql, sql } from '@fibre/database';
import { shardKeyOf } from './event-id.js';
import type { Scope } from './timeline.js';

/** The key of a timeline. */
export const TIMELINE_KEY = ['shard_key', 'tenant', 'namespace_id', 'entity_id'] as const;

/** SQL condition that rows of two tables belong to the same timeline. */
export const sameTimeline = (one: string, other: string): string =>
  TIMELINE_KEY.map((column) => `${one}.${column} = ${other}.${column}`).join(' and ');

/**
 * Makes the condition that the rows of a table with a given alias are in a scope. A statement repeats it for each of its tables: otherwise,
 * Citus would query every shard for the timeline of a single entity.
 */
export function inScope({ tenant, namespaceId, entityId, shardKey }: Scope): (alias: string) => Sql {
  const shard = shardKey ?? (entityId === undefined ? undefined : shardKeyOf(entityId));
  const values = [shard, tenant, namespaceId, entityId].map((value) => given(value, bound));
  return (alias) =>
    join(
      values.map((value, index) => value && sql`${raw(`${alias}.${TIMELINE_KEY[index]}`)} = ${value}`),
      ' and ',
    );
}

/**
 * SQL expression for the id of a line: of an entity, as the line of one ISP at one operator. A UUIDv8 (RFC 9562 section 5.8) of a hash, because
 * clients choose the ids of entities, so two operators may have the same one. Everything that shows lines computes it, so it must never change.
 */
export const lineId = (tenant: string, partnerId: string, entityId: string): string =>
  `overlay(overlay(md5(${tenant} || ' ' || ${partnerId}::text || ' ' || ${entityId}::text) placing '8' from 13) placing '8' from 17)::uuid`;

/** SQL expression for an `event_at` in the API's format: a client can send it back unchanged. */
export const eventAtText = (sql: string): string =>
  `to_char(${sql} at time zone 'UTC', case when date_trunc('milliseconds', ${sql}) = ${sql}
    then 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"' else 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"' end)`;
