import { raw, type Sql, sql, type Statement, statement } from '@fibre/database';
import { UNSETTLED_SINCE } from './unsettled-since.sql.js';

/** Times for {@link SettledTime}, in seconds. */
export interface SettleTimes {
  /** By how much the database's clock may be set back. */
  readonly settleSeconds: number;
  /** The longest transaction of a request: when a prepared transaction began is unknown. */
  readonly longestRequestSeconds: number;
}

/** On one server: see {@link UnsettledSince}. Prepared transactions are read last, because an open one may become one meanwhile. */
const earliest = (longestRequestSeconds: number): Sql => sql`
    select least(
      ${raw(UNSETTLED_SINCE)},
      (select min(p.prepared) from pg_prepared_xacts p where p.database = current_database()) - interval '${raw(longestRequestSeconds)} seconds'
    )`;

const settledAt = (time: Sql, settleSeconds: number): Sql =>
  sql`date_trunc('milliseconds', ${time} - ${settleSeconds} * interval '1 second')`;

/** The time on the database's clock, as `now`. */
export const selectClock = statement('changes-clock')`select date_trunc('milliseconds', clock_timestamp()) as now`;

export const findCitus = statement('changes-find-citus')`select exists (select 1 from pg_extension where extname = 'citus') as found`;

/** The settled instant of a database on one server, as `settled`. @param publish see FeedSource */
export const selectSettled = ({ settleSeconds, longestRequestSeconds }: SettleTimes, publish?: Sql): Statement =>
  statement(
    'changes-settled',
  )`${publish && sql`with published as (${publish}) `}select ${settledAt(sql`(${earliest(longestRequestSeconds)})`, settleSeconds)} as settled, true as complete`;

/**
 * The same on Citus: the least of what each node says of itself by its own clock. `complete` is false if a node did not respond. This does
 * not use `citus_stat_activity`, which silently omits such a node.
 */
export const selectSettledOnCitus = ({ settleSeconds, longestRequestSeconds }: SettleTimes): Statement =>
  statement('changes-settled-citus')`
    select ${settledAt(sql`min(n.result::timestamptz) filter (where n.success)`, settleSeconds)} as settled, bool_and(n.success) as complete
    from run_command_on_all_nodes($$${earliest(longestRequestSeconds)}$$) n`;
