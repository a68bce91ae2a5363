import { Database } from '@fibre/database';
import { unavailable } from '@fibre/problems';
import { Inject, Injectable } from '@nestjs/common';
import { findCitus, selectLatest, selectSettled, selectSettledOnCitus } from './changes.sql.js';

export const SETTLE_SECONDS = Symbol('SETTLE_SECONDS');

/** Determines which instant is settled: no write with an earlier timestamp can still appear. */
@Injectable()
export class SettledTime {
  private isCitus?: Promise<boolean>;

  constructor(
    private readonly database: Database,
    @Inject(SETTLE_SECONDS) private readonly settleSeconds: number,
  ) {}

  /**
   * The settled instant, in whole milliseconds. The caller must read its data afterwards, in another statement, because only a later
   * snapshot contains everything committed before the open transactions were listed.
   *
   * Why no earlier write can appear later: a row is stamped (`modified_at`) while its request is handled. A request ends at its deadline,
   * so its transaction begins, or writes for the first time, at most that long after the stamp. `SETTLE_SECONDS` is the deadline plus a
   * few seconds of clock skew. A write that the later snapshot misses is one of three kinds:
   * - Its transaction had written before the list was read: it is listed, and the stamp isn't older than its start minus `SETTLE_SECONDS`.
   * - Its transaction had not yet written, or had not yet begun: the stamp isn't older than now minus `SETTLE_SECONDS`.
   * - Its transaction is prepared, which is the last thing a request does: the same holds for the time at which it was prepared.
   *
   * docs/adr/0021-changes.md lists every write and the clock that it uses. Work that takes longer than a request must take its timestamps
   * inside its transaction, in a statement after its first write.
   *
   * @throws Problem 503 if a node of the cluster does not respond
   */
  async now(): Promise<Date> {
    const select = (await this.findCitus()) ? selectSettledOnCitus : selectSettled;
    const [row] = await this.database.run<{ settled: Date; complete: boolean }>(select(this.settleSeconds));
    if (!row?.complete) throw unavailable('A node of the database cluster cannot be reached.');
    return row.settled;
  }

  /**
   * An instant that {@link now} has never exceeded. The settled instant itself can move back: when a transaction that began earlier
   * writes for the first time.
   */
  async latest(): Promise<Date> {
    const [row] = await this.database.run<{ latest: Date }>(selectLatest(this.settleSeconds));
    return row!.latest;
  }

  /** Checks for Citus once, and again only if the check fails. */
  private findCitus(): Promise<boolean> {
    this.isCitus ??= this.database.run<{ found: boolean }>(findCitus).then(([row]) => row!.found);
    this.isCitus.catch(() => (this.isCitus = undefined));
    return this.isCitus;
  }
}
