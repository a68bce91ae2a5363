import { setTimeout as sleep } from 'node:timers/promises';
import { DEADLOCK_DETECTED, isStalePlan, SERIALIZATION_FAILURE, sqlState } from '../connection/database-errors.js';

/** A transaction conflicted with other transactions in every attempt. Nothing was written; the caller may retry later. */
export class ContentionError extends Error {
  override readonly name = 'ContentionError';

  constructor(
    readonly attempts: number,
    cause: unknown,
  ) {
    super(`the transaction conflicted with others in all ${attempts} attempts`, { cause });
  }
}

/** Maximum number of attempts per transaction. */
export const MAX_TRANSACTION_ATTEMPTS = 10;
/**
 * Milliseconds. Before attempt n+1, we pause for a random time of up to n times this, so that the same transactions don't collide again.
 */
const RETRY_PAUSE_MS = 10;

/**
 * Runs `work` again from the start after a conflict with another transaction or a migration, so `work` must have no side effects other than
 * one transaction.
 *
 * @param states SQLSTATEs that mean a conflict here, in addition to 40001 and 40P01
 * @throws ContentionError after the last attempt
 */
export async function retryOnConflict<T>(work: () => Promise<T>, states: readonly string[] = []): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      const isConflict = [SERIALIZATION_FAILURE, DEADLOCK_DETECTED, ...states].includes(sqlState(error) ?? '');
      if (!isConflict && !isStalePlan(error)) throw error;
      if (attempt >= MAX_TRANSACTION_ATTEMPTS) throw new ContentionError(attempt, error);
      await sleep(Math.random() * attempt * RETRY_PAUSE_MS);
    }
  }
}
