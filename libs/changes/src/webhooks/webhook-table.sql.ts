/**
 * The table of webhooks, and how far each has got in its feed, for the initial migration of each service. On Citus, it is a local table on the coordinator.
 *
 * There is no index on `due_at`, because there are few rows, and without the index an update needs no new index entry.
 */
export const WEBHOOK_TABLE = `create table webhook (
  tenant          text           not null,
  webhook_id      uuid           not null,
  url             text           not null,
  feed            text           not null,
  filters         jsonb          not null,
  since           timestamptz(3) not null,
  description     text,
  enabled         boolean        not null,
  secret          text           not null,
  previous_secret text,
  rotated_at      timestamptz(3),
  place           text           not null,
  batch_end       text,
  due_at          timestamptz    not null,
  delivered_until timestamptz(3) not null,
  last_status     integer,
  last_error      text,
  failing_since   timestamptz(3),
  created_at      timestamptz(3) not null,
  modified_at     timestamptz(3) not null,
  constraint webhook_pkey primary key (tenant, webhook_id)
) with (fillfactor = 50)`;
