const KEY = ['shard_key', 'tenant', 'namespace_id', 'entity_id'];

/** SQL condition that rows of two tables belong to the same timeline. */
export const sameTimeline = (one: string, other: string): string =>
  KEY.map((column) => `${one}.${column} = ${other}.${column}`).join(' and ');

/** SQL expression for an `event_at` in the API's format: a client can send it back unchanged. */
export const eventAtText = (sql: string): string =>
  `to_char(${sql} at time zone 'UTC', case when date_trunc('milliseconds', ${sql}) = ${sql}
    then 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"' else 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"' end)`;
