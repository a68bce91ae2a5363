import { WEBHOOK_TABLE } from '@fibre/webhooks';
import { sqlMigration } from '@fibre/database';

/** The whole schema, apart from the functions that repeatable migrations create. */
export const Initial1763683200000 = sqlMigration('Initial1763683200000', [
  // shard_key, 12 bits of a hash of the entity's id that the service computes, is part of every key of namespace, timeline, event and line_change, so that
  // these tables can be distributed (docs/adr/0008). namespace_id is the nil UUID for production.

  // Namespaces separate timelines. name is null once a namespace is retired, so that the name is free while its events are being deleted.
  `create table namespace (
  namespace_id uuid             not null,
  shard_key    smallint         not null,
  tenant       text collate "C" not null,
  name         text collate "C",
  created_at   timestamptz(3)   not null,
  last_used_at timestamptz(3)   not null,
  constraint namespace_pkey primary key (namespace_id, shard_key),
  constraint namespace_name_key unique (tenant, name, shard_key)
)`,
  `create index namespace_last_used_at_idx on namespace (last_used_at)`,

  // The timeline of an entity: how many events it has (version), when its last lifecycle event and its last deactivation took place, the state
  // of the entity, the values of its last subscription (the articles only while it runs), what was recorded when, and whether all its events are erased. append_event keeps all of it true (docs/adr/0016).
  // Every event of the entity updates this row; free space in its pages keeps those updates out of the indexes.
  `create table timeline (
  tenant            text collate "C"   not null,
  namespace_id      uuid               not null,
  entity_id         uuid               not null,
  shard_key         smallint           not null,
  version           integer            not null,
  lifecycle_at      timestamptz(6),
  deactivated_at    timestamptz(6),
  state             text collate "C"   not null,
  state_since       timestamptz(6)     not null,
  partner_id        uuid,
  article_codes     text[] collate "C",
  option82          text collate "C",
  partner_reference text collate "C",
  created_at        timestamptz(3)     not null,
  modified_at       timestamptz(3)     not null,
  last_event_id     uuid               not null,
  erased            boolean            not null default false,
  constraint timeline_pkey primary key (tenant, namespace_id, entity_id, shard_key)
) with (fillfactor = 70)`,
  // Without statistics, PostgreSQL would look for an entity among all of its tenant's in an index that begins with the tenant.
  `create index timeline_state_idx on timeline (state, tenant, namespace_id, entity_id)`,
  `create index timeline_partner_idx on timeline (tenant, namespace_id, partner_id, entity_id) where state = 'active'`,

  // The entities whose personal data ERASE_AFTER_MONTHS erases; those that were erased are no longer in it.
  `create index timeline_inactive_idx on timeline (state_since) where state = 'inactive' and not erased`,

  // partner_id is the ISP of the subscription that an event belongs to, which append_event keeps true.
  // json, not jsonb: the canonical text is compared, and jsonb would turn 1e300 into 301 digits.
  `create table event (
  event_id       uuid             not null,
  shard_key      smallint         not null,
  tenant         text collate "C" not null,
  namespace_id   uuid             not null,
  entity_id      uuid             not null,
  partner_id     uuid,
  sequence       integer          not null,
  event_type     text collate "C" not null,
  event_at       timestamptz(6)   not null,
  event_timezone text collate "C" not null,
  event_date     date             not null,
  sys_attributes json,
  sys_hash       uuid             not null,
  usr_reference  text collate "C",
  usr_attributes json,
  comment        text collate "C",
  overwritten    boolean          not null default false,
  erased_at      timestamptz(3),
  created_at     timestamptz(3)   not null,
  created_by     text collate "C",
  modified_at    timestamptz(3)   not null,
  modified_by    text collate "C",
  constraint event_pkey primary key (tenant, namespace_id, event_id, shard_key),
  constraint event_sequence_key unique (tenant, namespace_id, entity_id, sequence, shard_key),
  constraint event_timeline_fkey foreign key (tenant, namespace_id, entity_id, shard_key)
    references timeline (tenant, namespace_id, entity_id, shard_key),
  constraint event_event_type_check check (event_type in ('activation', 'update', 'deactivation', 'notification'))
)`,

  // Together, these keys identify an event: at any instant, a timeline has at most one lifecycle event, and at most one notification with the
  // same content. The first key also finds neighbours in a single step, however many notifications lie between them.
  `create unique index event_lifecycle_at_key
  on event (tenant, namespace_id, entity_id, shard_key, event_at) where event_type <> 'notification'`,
  `create unique index event_notification_key
  on event (tenant, namespace_id, entity_id, event_at, sys_hash, shard_key) where event_type = 'notification'`,

  // Each value that applies at an instant has its own index, so that one step back in it finds the value.
  `create index event_activation_idx on event (tenant, namespace_id, entity_id, shard_key, event_at) where event_type = 'activation'`,
  `create index event_option82_idx on event (tenant, namespace_id, entity_id, shard_key, event_at)
  where event_type <> 'notification' and (sys_attributes ->> 'option82') is not null`,
  `create index event_partner_reference_idx on event (tenant, namespace_id, entity_id, shard_key, event_at)
  where event_type <> 'notification' and (sys_attributes ->> 'partner_reference') is not null`,

  // The events of each day in page order: reading a page of a day starts at the page's first event and skips the events of other days.
  `create index event_period_idx on event (tenant, namespace_id, event_date, event_id)`,

  // The change feed. The types are separate, so that listing a rare type is as fast as listing all types.
  `create index event_changes_idx on event (tenant, namespace_id, event_type, modified_at, event_id)`,

  // The events of an ISP's subscriptions, in page order. Those of a rare type are found by the change feed's index and sorted.
  `create index event_subscription_idx on event (tenant, namespace_id, partner_id, event_id) where partner_id is not null`,

  // The events that a person or program recorded or overwrote, in page order.
  `create index event_created_by_idx on event (tenant, namespace_id, created_by, event_id) where created_by is not null`,
  `create index event_modified_by_idx on event (tenant, namespace_id, modified_by, event_id) where modified_by is not null`,

  // The events that may name a partner: deleting an ISP checks whether an event names it, and an ISP's lines at an instant belong to entities
  // with such an activation, in the order of the list.
  `create index event_partner_idx on event (tenant, namespace_id, ((sys_attributes ->> 'partner_id')::uuid), entity_id, event_at)
  where event_type in ('activation', 'notification') and sys_attributes is not null`,

  // Find: what a line, running or ended, begins with, whatever the case of its ASCII letters. In the collation "C", a prefix is a range.
  // An ISP finds its lines at an instant by the same indexes.
  `create index event_find_option82_idx on event (tenant, namespace_id, lower((sys_attributes ->> 'option82') collate "C"), entity_id)
  where event_type <> 'notification' and (sys_attributes ->> 'option82') is not null`,
  `create index event_find_partner_reference_idx
  on event (tenant, namespace_id, lower((sys_attributes ->> 'partner_reference') collate "C"), entity_id)
  where event_type <> 'notification' and (sys_attributes ->> 'partner_reference') is not null`,

  `create index event_find_usr_reference_idx on event (tenant, namespace_id, lower(usr_reference collate "C"), entity_id) where usr_reference is not null`,

  // Find: the end of an id. Clients choose the ids of entities, so the tenant is in that index too. It does not come first, as in the index
  // of states.
  `create index event_find_id_idx on event (right(event_id::text collate "C", 8))`,
  `create index timeline_find_id_idx on timeline (right(entity_id::text collate "C", 8), tenant, namespace_id)`,

  // The trend: activations and deactivations by the time at which they took place.
  `create index event_trend_idx on event (tenant, namespace_id, event_at, event_type) where event_type in ('activation', 'deactivation')`,

  // The internet service providers of a tenant in a namespace. On Citus, this is a local table on the coordinator: it is small, and the
  // coordinator holds the row lock until the worker has committed the event (docs/adr/0014).
  `create table isp (
  tenant       text collate "C" not null,
  namespace_id uuid             not null,
  partner_id   uuid             not null,
  name         text collate "C" not null,
  email        text collate "C",
  comment      text collate "C",
  isp_tenant   text collate "C",
  version      integer          not null default 1,
  created_at   timestamptz(3)   not null default date_trunc('milliseconds', now()),
  created_by   text collate "C",
  modified_at  timestamptz(3)   not null default date_trunc('milliseconds', now()),
  modified_by  text collate "C",
  constraint isp_pkey primary key (tenant, namespace_id, partner_id),
  constraint isp_name_key unique (tenant, namespace_id, name),
  constraint isp_isp_tenant_key unique (tenant, namespace_id, isp_tenant)
)`,
  `create index isp_isp_tenant_idx on isp (isp_tenant) where isp_tenant is not null`,

  // Which tenant sees which ISP's lines, from when and until when (docs/adr/0024). A tenant that gets an ISP's lines
  // back keeps its row. On Citus, this is a local table on the coordinator, like isp.
  `create table isp_access (
  isp_tenant text collate "C" not null,
  tenant     text collate "C" not null,
  partner_id uuid             not null,
  first_at   timestamptz(3)   not null,
  begins_at  timestamptz(3)   not null,
  ends_at    timestamptz(3),
  constraint isp_access_pkey primary key (isp_tenant, tenant, partner_id)
)`,
  `create index isp_access_partner_idx on isp_access (tenant, partner_id)`,

  // When what an ISP sees of the line of an entity, in production, last changed, and when the line ended, if it does not run. The timeline and
  // the events have the values; append_event and erase_entity keep these times true.
  `create table line_change (
  tenant     text collate "C" not null,
  partner_id uuid             not null,
  line_id    uuid             not null,
  shard_key  smallint         not null,
  entity_id  uuid             not null,
  ended_at   timestamptz(6),
  created_at timestamptz(3)   not null,
  changed_at timestamptz(3)   not null,
  constraint line_change_pkey primary key (tenant, partner_id, line_id, shard_key)
)`,
  `create index line_change_changed_at_idx on line_change (tenant, partner_id, changed_at, line_id)`,

  // What was invoiced (docs/billing.md). Rows are never changed. No two closings follow the same one. day_starts are the first moments of the
  // window's local days, in microseconds since 1970: a later release of the zone database must not change what was closed. On Citus, this is
  // a local table on the coordinator, like isp.
  `create table closing (
  tenant              text collate "C" not null,
  namespace_id        uuid             not null,
  closing_id          uuid             not null,
  "from"              text collate "C" not null,
  "to"                text collate "C" not null,
  timezone            text collate "C" not null,
  sent_from           text collate "C" not null,
  sent_to             text collate "C" not null,
  day_starts          bigint[]         not null,
  timezone_release    text collate "C" not null,
  partner_id          uuid,
  reference           text collate "C",
  comment             text collate "C",
  recorded_until      timestamptz(3)   not null,
  reviewed            boolean          not null,
  warnings            text[] collate "C" not null,
  previous_closing_id uuid,
  idempotency_key     text collate "C",
  created_at          timestamptz(3)   not null default date_trunc('milliseconds', now()),
  created_by          text collate "C",
  constraint closing_pkey primary key (tenant, namespace_id, closing_id),
  constraint closing_previous_closing_id_key unique (tenant, namespace_id, previous_closing_id)
)`,

  // Events that were refused, for a week (docs/billing.md). There are at most 1,000 of a tenant. On Citus, this is a local table on the
  // coordinator, like isp.
  `create table refused_event (
  tenant         text collate "C" not null,
  refused_id     uuid             not null,
  refused_at     timestamptz(3)   not null,
  sent_by        text collate "C",
  namespace_id   uuid             not null,
  entity_id      uuid             not null,
  event_type     text collate "C" not null,
  event_at       timestamptz(6)   not null,
  event_timezone text collate "C" not null,
  sys_attributes json,
  problem        json             not null,
  constraint refused_event_pkey primary key (tenant, refused_id)
)`,
  WEBHOOK_TABLE,
]);
