import { sqlMigration } from '@fibre/database';

/**
 * Events, their timelines, and the namespaces that separate timelines.
 *
 * `shard_key`, 12 bits of a hash that the service computes, is part of every key, so that the tables can be distributed (docs/adr).
 * `namespace_id` is the nil UUID for production.
 */
export const Event1763683200000 = sqlMigration('Event1763683200000', {
  up: [
    // `name` is null once a namespace is retired, so that the name is free while its events are still being deleted.
    `create table namespace (
      namespace_id uuid           not null,
      shard_key    smallint       not null,
      tenant       text           not null,
      name         text,
      created_at   timestamptz(3) not null,
      last_used_at timestamptz(3) not null,
      constraint namespace_pkey primary key (namespace_id, shard_key),
      constraint namespace_name_key unique (tenant, name, shard_key)
    )`,
    `create index namespace_last_used_at_idx on namespace (last_used_at)`,

    // Every event of the entity updates this row; free space in its pages keeps those updates out of the indexes.
    `create table timeline (
      tenant         text         not null,
      namespace_id   uuid         not null,
      entity_id      uuid         not null,
      shard_key      smallint     not null,
      version        integer      not null,
      deactivated_at timestamptz(6),
      constraint timeline_pkey primary key (tenant, namespace_id, entity_id, shard_key)
    ) with (fillfactor = 70)`,

    // `json`, not `jsonb`: the canonical text is compared, and jsonb would turn 1e300 into 301 digits.
    `create table event (
      event_id       uuid           not null,
      shard_key      smallint       not null,
      tenant         text           not null,
      namespace_id   uuid           not null,
      entity_id      uuid           not null,
      sequence       integer        not null,
      event_type     text           not null,
      event_at       timestamptz(6) not null,
      event_timezone text           not null,
      event_date     date           not null,
      sys_attributes json,
      sys_hash       uuid           not null,
      usr_reference  text,
      usr_attributes json,
      comment        text,
      overwritten    boolean        not null default false,
      created_at     timestamptz(3) not null,
      modified_at    timestamptz(3) not null,
      constraint event_pkey primary key (tenant, namespace_id, event_id, shard_key),
      constraint event_sequence_key unique (tenant, namespace_id, entity_id, sequence, shard_key),
      constraint event_timeline_fkey foreign key (tenant, namespace_id, entity_id, shard_key)
        references timeline (tenant, namespace_id, entity_id, shard_key),
      constraint event_event_type_check check (event_type in ('activation', 'update', 'deactivation', 'notification'))
    )`,

    // Together, these keys identify an event: at any instant, a timeline has at most one lifecycle event, and at most one notification with
    // the same content. The first key also finds neighbours quickly, however many notifications lie between them.
    `create unique index event_lifecycle_key
    on event (tenant, namespace_id, entity_id, event_at, shard_key) where event_type <> 'notification'`,
    `create unique index event_notification_key
    on event (tenant, namespace_id, entity_id, event_at, sys_hash, shard_key) where event_type = 'notification'`,
    `create index event_date_idx on event (tenant, namespace_id, event_date)`,
  ],
  down: [`drop table event`, `drop table timeline`, `drop table namespace`],
});
