import { Database, type Sql } from '@fibre/database';
import { unavailable } from '@fibre/problems';
import { Inject, Injectable } from '@nestjs/common';
import { findCitus, selectClock, selectSettled, selectSettledOnCitus, type SettleTimes } from './settled-time.sql.js';

export const SETTLE_TIMES = Symbol('SETTLE_TIMES');

/** Determines which instant is settled: no write with an earlier time can still appear. */
@Injectable()
export class SettledTime {
  private isCitus?: Promise<boolean>;

  constructor(
    private readonly database: Database,
    @Inject(SETTLE_TIMES) private readonly times: SettleTimes,
  ) {}

  /**
   * The settled instant, in whole milliseconds. The caller must read its data afterwards, in another statement, because only a later
   * snapshot contains everything committed before the open transactions were listed.
   *
   * Why no earlier write can appear later: every write takes its time from `write_time()`, after its transaction has an id. A write that
   * the later snapshot misses is one of two kinds:
   * - Its transaction had an id when the transactions were listed: it is listed, and its time isn't earlier than its start.
   * - Its transaction got its id later: its time is later than the clock, which was read before.
   *
   * Transactions that have announced themselves are not listed, however long they take. Their times do not count: a feed shows what they
   * wrote at the time of a later write, which publishes it.
   *
   * @param publish see FeedSource
   * @throws Problem 503 if a node of the cluster does not respond
   */
  async now(publish?: Sql): Promise<Date> {
    const select = (await this.findCitus()) ? selectSettledOnCitus(this.times) : selectSettled(this.times, publish);
    const [row] = await this.database.run<{ settled: Date; complete: boolean }>(select);
    if (!row?.complete) throw unavailable('A node of the database cluster cannot be reached.');
    return row.settled;
  }

  /** The time on the database's clock, in whole milliseconds. */
  async clock(): Promise<Date> {
    const [row] = await this.database.run<{ now: Date }>(selectClock);
    return row!.now;
  }

  /**
   * An instant that {@link now} has never exceeded. The settled instant itself can move back: when a transaction that began earlier
   * writes for the first time.
   */
  async latest(): Promise<Date> {
    return new Date((await this.clock()).getTime() - this.times.settleSeconds * 1_000);
  }

  /** Checks for Citus once, and again only if the check fails. */
  private findCitus(): Promise<boolean> {
    this.isCitus ??= this.database.run<{ found: boolean }>(findCitus).then(([row]) => row!.found);
    this.isCitus.catch(() => (this.isCitus = undefined));
    return this.isCitus;
  }
}
