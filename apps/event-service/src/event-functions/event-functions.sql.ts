import { repeatableMigration } from '@fibre/database';
import { CREATE_APPEND_EVENT } from './append-event.sql.js';
import { CREATE_ERASE_ENTITY } from './erase-entity.sql.js';
import { CREATE_OVERWRITE_EVENT } from './overwrite-event.sql.js';

/** Names and parameter types of the functions, as Citus needs them. */
export const EVENT_FUNCTIONS = [
  'append_event(smallint, text, integer, boolean, json)',
  'overwrite_event(smallint, text, uuid, uuid, json)',
  'erase_entity(smallint, text, uuid, uuid, boolean, timestamptz, text)',
] as const;

/** Replaces the functions whenever their text has changed. */
export const EventFunctions = repeatableMigration('EventFunctions', [
  // Citus cannot change a function in a transaction that has used shards in parallel. Without Citus, PostgreSQL ignores this setting.
  `set local citus.multi_shard_modify_mode to 'sequential'`,
  CREATE_APPEND_EVENT,
  CREATE_OVERWRITE_EVENT,
  CREATE_ERASE_ENTITY,
]);
