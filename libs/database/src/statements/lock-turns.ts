import { setTimeout as sleep } from 'node:timers/promises';
import { isLockTimeout } from '../connection/database-errors.js';
import { Deadline, withinDeadline } from '../connection/deadline.js';
import type { Limit } from '../limits/limit.js';
import type { Limits } from '../limits/limits.js';
import { type Sql, sql } from './sql.js';

/**
 * A condition that is always true, and limits a statement's wait for locks on rows to a twentieth of what the connection allows: to 75 ms.
 * It only counts for the statement, needs no transaction, and also works behind a pooler. See `Database.write`.
 */
export const briefWait: Sql = sql`
  (select set_config('lock_timeout', (extract(epoch from current_setting('lock_timeout')::interval) * 50)::int::text, true)) is not null`;

/** Milliseconds for which a change of a relation waits for a lock before it gives its connection back and waits for its next turn. */
const LOCK_TURN_MS = 100;
/** Milliseconds without a connection between two turns. */
const BETWEEN_TURNS_MS = 40;
/** Longest time in milliseconds for which a change waits for locks if its request declares none; see `Budget`. */
const MAX_LOCK_WAIT_MS = 30_000;
/** Longest time in milliseconds that a change waits for one of its turns, and how many changes may wait. */
const [MAX_TURN_WAIT_MS, MAX_CHANGES_WAITING] = [10_000, 64];

/** Waits for locks in turns, without a place among the requests, and between two turns without a connection. */
export class LockTurns {
  private readonly limit: Limit;

  /** @param bulkShare maximum number of connections for work of one kind */
  constructor(limits: Limits, bulkShare: number) {
    // One place more than the other kinds: each turn may be spent waiting for a lock, and two clients who always wait leave one to others.
    this.limit = limits.add('changes of relations', {
      amount: bulkShare + 1,
      perClient: 1,
      maxWaitMs: MAX_TURN_WAIT_MS,
      maxWaiting: MAX_CHANGES_WAITING,
    });
  }

  /**
   * @param client who waits; one change of a client runs at a time
   * @param attempt does the work, if it gets its locks within these milliseconds
   * @throws LimitReached, or the lock timeout once it has waited for long enough
   */
  async run<T>(client: string, attempt: (lockTimeoutMs: number) => Promise<T>): Promise<T> {
    const end = performance.now() + (Deadline.current?.lockWaitMs ?? MAX_LOCK_WAIT_MS);
    Deadline.current?.leavePlace();
    for (;;) {
      try {
        return await this.limit.run(client, () => attempt(LOCK_TURN_MS));
      } catch (error) {
        if (!isLockTimeout(error) || performance.now() > end) throw error;
      }
      await withinDeadline(sleep(BETWEEN_TURNS_MS));
    }
  }
}
