import { repeatableMigration } from '@fibre/database';

/** The function's name and parameter types, as Citus needs them. */
export const WRITE_TIME = 'write_time()';

/** On Citus, creates a function on every node, because statements and functions that run there call it. */
export function createOnAllNodes(name: string): string {
  return `do $$ begin
      if to_regclass('pg_catalog.pg_dist_object') is null then
        return;
      end if;
      if not exists (select 1 from pg_dist_object where objid = '${name}'::regprocedure) then
        perform create_distributed_function('${name}');
      end if;
    end $$`;
}

/**
 * The time of a write, in whole milliseconds. Its transaction first gets an id, so a transaction that is not among the open ones when
 * settled time is determined takes a later time than that (see SettledTime).
 */
export const WriteTime = repeatableMigration('WriteTime', [
  `create or replace function ${WRITE_TIME} returns timestamptz language plpgsql as $$
    begin
      perform pg_current_xact_id();
      return date_trunc('milliseconds', clock_timestamp());
    end $$`,
  createOnAllNodes(WRITE_TIME),
]);
