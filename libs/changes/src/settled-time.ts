import { Database } from '@fibre/database';
import { unavailable } from '@fibre/problems';
import { Inject, Injectable } from '@nestjs/common';
import { findCitus, selectSettled, selectSettledOnCitus } from './changes.sql.js';

export const SETTLE_SECONDS = Symbol('SETTLE_SECONDS');

/** Tells which instant is settled: no write with an earlier timestamp can still become visible. */
@Injectable()
export class SettledTime {
  private isCitus?: Promise<boolean>;

  constructor(
    private readonly database: Database,
    @Inject(SETTLE_SECONDS) private readonly settleSeconds: number,
  ) {}

  /**
   * The settled instant, in whole milliseconds. The caller reads its data afterwards, by another statement, since only a later snapshot has
   * all that was committed before the look at the open transactions.
   *
   * Why nothing earlier can follow: a row is stamped by the clock of the service (`created_at`, `modified_at`), which reads it while it works
   * on the request. A request ends at its deadline, so the transaction that writes the row begins, or writes for the first time, at most
   * that much later; `SETTLE_SECONDS` is the deadline and some seconds for clocks that differ. A write that the later snapshot does not
   * see is of one of three kinds:
   * - its transaction had written before the look: it's in the list, and the stamp isn't older than its start less `SETTLE_SECONDS`;
   * - its transaction had not written yet, or had not begun: the stamp isn't older than now less `SETTLE_SECONDS`;
   * - its transaction is prepared, which a request does at its end: the same holds for the time at which it was prepared.
   *
   * This covers every write of event-service: a new event is one statement, the overwriting of user attributes one transaction that
   * writes first, and both take their stamp right before. What works longer than a request has to take its stamps in its transaction, after its first write.
   *
   * @throws Problem 503 if a node of the cluster doesn't answer
   */
  async now(): Promise<Date> {
    const select = (await this.findCitus()) ? selectSettledOnCitus : selectSettled;
    const [row] = await this.database.run<{ settled: Date; complete: boolean }>(select(this.settleSeconds));
    if (!row?.complete) throw unavailable('A node of the database cluster cannot be reached.');
    return row.settled;
  }

  /** Asked once; a failure isn't remembered. */
  private findCitus(): Promise<boolean> {
    this.isCitus ??= this.database.run<{ found: boolean }>(findCitus).then(([row]) => row!.found);
    this.isCitus.catch(() => (this.isCitus = undefined));
    return this.isCitus;
  }
}
