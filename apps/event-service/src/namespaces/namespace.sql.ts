import type { Statement } from '@fibre/database';

/** A namespace as clients name it. */
export interface NamespaceName {
  readonly tenant: string;
  readonly name: string;
  readonly shardKey: number;
}

/** Notes a use, and makes the namespace when there is none: `namespace_id`. */
export const openNamespace = ({ tenant, name, shardKey }: NamespaceName, newId: string, now: Date): Statement => ({
  name: 'namespaces-open',
  text: `
    insert into namespace as n (namespace_id, shard_key, tenant, name, created_at, last_used_at)
    values ($1, $2, $3, $4, $5, $5)
    on conflict (tenant, name, shard_key)
    do update set last_used_at = greatest(n.last_used_at, excluded.last_used_at)
    returning n.namespace_id`,
  values: [newId, shardKey, tenant, name, now],
});

/** Notes a use of a namespace that exists: `namespace_id`, or no row. */
export const touchNamespace = ({ tenant, name, shardKey }: NamespaceName, now: Date): Statement => ({
  name: 'namespaces-touch',
  text: `
    update namespace n set last_used_at = greatest(n.last_used_at, $4::timestamptz)
    where n.shard_key = $1 and n.tenant = $2 and n.name = $3
    returning n.namespace_id`,
  values: [shardKey, tenant, name, now],
});

/** Key of the advisory lock that one clean-up at a time holds. */
const CLEAN_UP_LOCK = 7_305_118_264;

/** Until the transaction ends: `taken`. */
export const tryCleanUpLock: Statement = {
  name: 'namespaces-try-clean-up-lock',
  text: `select pg_try_advisory_xact_lock($1) as taken`,
  values: [CLEAN_UP_LOCK],
};

/**
 * Takes their names from the namespaces that nobody used since `cutoff`. A request that notes its use at the same time
 * waits here or makes this wait; whichever is second sees what the first did.
 */
export const retireUnused = (cutoff: Date): Statement => ({
  name: 'namespaces-retire-unused',
  text: `update namespace n set name = null where n.name is not null and n.last_used_at < $1`,
  values: [cutoff],
});

/** A retired namespace, the longest unused first: `namespace_id`, `shard_key`, `tenant`. */
export const findRetired: Statement = {
  name: 'namespaces-find-retired',
  text: `
    select n.namespace_id, n.shard_key, n.tenant from namespace n
    where n.name is null order by n.last_used_at limit 1`,
  values: [],
};

/** A namespace whose name is gone. */
export interface RetiredNamespace {
  readonly namespace_id: string;
  readonly shard_key: number;
  readonly tenant: string;
}

/** Some ids of its events: `id`. */
export const someEvents = ({ tenant, namespace_id }: RetiredNamespace, limit: number): Statement => ({
  name: 'namespaces-some-events',
  text: `select e.event_id as id from event e where e.tenant = $1 and e.namespace_id = $2 order by e.event_id limit $3::int`,
  values: [tenant, namespace_id, limit],
});

export const deleteEvents = ({ tenant, namespace_id }: RetiredNamespace, ids: readonly string[]): Statement => ({
  name: 'namespaces-delete-events',
  text: `delete from event e where e.tenant = $1 and e.namespace_id = $2 and e.event_id = any($3::uuid[])`,
  values: [tenant, namespace_id, ids],
});

/** Some of the entities that have a timeline in it: `id`. */
export const someTimelines = ({ tenant, namespace_id }: RetiredNamespace, limit: number): Statement => ({
  name: 'namespaces-some-timelines',
  text: `select t.entity_id as id from timeline t where t.tenant = $1 and t.namespace_id = $2 order by t.entity_id limit $3::int`,
  values: [tenant, namespace_id, limit],
});

export const deleteTimelines = ({ tenant, namespace_id }: RetiredNamespace, ids: readonly string[]): Statement => ({
  name: 'namespaces-delete-timelines',
  text: `delete from timeline t where t.tenant = $1 and t.namespace_id = $2 and t.entity_id = any($3::uuid[])`,
  values: [tenant, namespace_id, ids],
});

/** Ids of some of the ISPs in it: `id`. */
export const someIsps = ({ tenant, namespace_id }: RetiredNamespace, limit: number): Statement => ({
  name: 'namespaces-some-isps',
  text: `select i.partner_id as id from isp i where i.tenant = $1 and i.namespace_id = $2 order by i.partner_id limit $3::int`,
  values: [tenant, namespace_id, limit],
});

export const deleteIsps = ({ tenant, namespace_id }: RetiredNamespace, ids: readonly string[]): Statement => ({
  name: 'namespaces-delete-isps',
  text: `delete from isp i where i.tenant = $1 and i.namespace_id = $2 and i.partner_id = any($3::uuid[])`,
  values: [tenant, namespace_id, ids],
});

export const deleteNamespace = ({ namespace_id, shard_key }: RetiredNamespace): Statement => ({
  name: 'namespaces-delete',
  text: `delete from namespace n where n.shard_key = $1 and n.namespace_id = $2`,
  values: [shard_key, namespace_id],
});
