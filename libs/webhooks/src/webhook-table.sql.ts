import { MAX_EVENTS } from './webhook.js';

/**
 * The table of webhooks, and how far each has got in its feed, for the initial migration of each service. On Citus, it is a local table on the coordinator.
 *
 * There is no index on `due_at`, because there are few rows, and without the index an update needs no new index entry.
 */
export const WEBHOOK_TABLE = `create table webhook (
  tenant          text collate "C" not null,
  webhook_id      uuid             not null,
  url             text collate "C" not null,
  feed            text collate "C" not null,
  filters         jsonb            not null,
  since           timestamptz(3)   not null,
  description     text collate "C",
  enabled         boolean          not null,
  secret          text collate "C" not null,
  previous_secret text collate "C",
  rotated_at      timestamptz(3),
  place           text collate "C" not null,
  batch_end       text collate "C",
  batch_limit     smallint         not null default ${MAX_EVENTS},
  due_at          timestamptz      not null,
  delivered_until timestamptz(3)   not null,
  last_status     integer,
  last_error      text collate "C",
  failing_since   timestamptz(3),
  created_at      timestamptz(3)   not null,
  created_by      text collate "C",
  modified_at     timestamptz(3)   not null,
  modified_by     text collate "C",
  constraint webhook_pkey primary key (tenant, webhook_id)
) with (fillfactor = 50)`;
