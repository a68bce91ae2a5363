import type { Statement } from '@fibre/database';

/**
 * On one server: the start of the oldest open or prepared transaction that has written, or is waiting for a lock to write. A database role
 * sees only its own sessions.
 */
const OLDEST_WRITE = `
    select least(
      (
        select min(a.xact_start) from pg_stat_activity a
        where a.datname = current_database() and (a.backend_xid is not null or a.wait_event_type = 'Lock')
      ),
      (select min(p.prepared) from pg_prepared_xacts p where p.database = current_database())
    )`;

/** The time on the database's clock, as `ms`. */
export const selectClock: Statement = {
  name: 'changes-clock',
  text: 'select extract(epoch from clock_timestamp())::float8 * 1000 as ms',
  values: [],
};

export const findCitus: Statement = {
  name: 'changes-find-citus',
  text: `select exists (select 1 from pg_extension where extname = 'citus') as found`,
  values: [],
};

const settledAt = (oldestWrite: string): string => `date_trunc('milliseconds', least(now(), ${oldestWrite}) - $1 * interval '1 second')`;

/** The latest instant that can be settled now, as `latest`. */
export const selectLatest = (settleSeconds: number): Statement => ({
  name: 'changes-latest',
  text: `select date_trunc('milliseconds', now() - $1 * interval '1 second') as latest`,
  values: [settleSeconds],
});

/** The settled instant of a database on one server, as `settled`. */
export const selectSettled = (settleSeconds: number): Statement => ({
  name: 'changes-settled',
  text: `select ${settledAt(`(${OLDEST_WRITE})`)} as settled, true as complete`,
  values: [settleSeconds],
});

/**
 * The same on Citus, where the statement queries every node; `complete` is false if a node did not respond. This does not use
 * `citus_stat_activity`, which silently omits such a node.
 */
export const selectSettledOnCitus = (settleSeconds: number): Statement => ({
  name: 'changes-settled-citus',
  text: `
    select ${settledAt(`min(nullif(n.result, '')::timestamptz) filter (where n.success)`)} as settled, bool_and(n.success) as complete
    from run_command_on_all_nodes($$${OLDEST_WRITE}$$) n`,
  values: [settleSeconds],
});
