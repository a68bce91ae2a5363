import { repeatableMigration } from '@fibre/database';
import { createOnAllNodes } from './write-time.sql.js';

/** The function's name and parameter types, as Citus needs them. */
export const UNSETTLED_SINCE = 'unsettled_since()';

/** Key of the lock by which a transaction announces itself. Other advisory locks of the services have two keys, which are another space. */
const [HIGH, LOW] = [826_114_507, 1];

/**
 * Announces the transaction, which has no id yet: its times do not hold back settled time (see SettledTime). What it writes must get its
 * place in the feeds when it is visible.
 */
export const ANNOUNCE = `pg_advisory_xact_lock_shared((${HIGH}::bigint << 32) + ${LOW})`;

/**
 * The earlier of the clock and the start of the oldest open transaction that has an id and has not announced itself. `now()` is the start
 * of the statement, so the clock is read before the transactions. A database role sees only its own sessions.
 *
 * The locks are read after the transactions, and only if there are any. Between the two, a session may end a transaction and announce the
 * next one. The ended one is left out too, but whoever reads afterwards sees what it wrote.
 */
export const UnsettledSince = repeatableMigration('UnsettledSince', [
  `create or replace function ${UNSETTLED_SINCE} returns timestamptz language plpgsql as $$
    declare
      pids int[];
      starts timestamptz[];
    begin
      select array_agg(a.pid), array_agg(a.xact_start) into pids, starts
      from pg_stat_activity a where a.datname = current_database() and a.backend_xid is not null;
      return least(now(), (
        select min(o.start) from unnest(pids, starts) o (pid, start)
        where not exists (
          select from pg_locks l
          where l.pid = o.pid and l.locktype = 'advisory' and l.classid = ${HIGH} and l.objid = ${LOW} and l.objsubid = 1
        )
      ));
    end $$`,
  createOnAllNodes(UNSETTLED_SINCE),
]);
