import type { Readable } from 'node:stream';
import { type BulkConnection, Database, DEADLOCK_DETECTED, SERIALIZATION_FAILURE, sqlState, UNIQUE_VIOLATION } from '@fibre/database';
import { Injectable } from '@nestjs/common';
import type { Collection } from '../access-nodes/access-node.js';
import {
  allowMemory,
  analyzeRows,
  type AppliedRows,
  applyRows,
  beginAttempt,
  claimKey,
  COPY_ROWS,
  createRows,
  findAnswer,
  lockNodes,
  lockRelations,
  removeOldAnswers,
  removeRepeated,
  type RemovedRows,
  removeUnregistered,
  storeAnswer,
  type StoredAnswer,
  undoAttempt,
} from './node-import.sql.js';

/** Milliseconds that one statement of an import may run, or wait for earlier imports of the same relations. */
export const STATEMENT_TIMEOUT_MS = 1_800_000;
/** Another transaction changed the same nodes, or created one with the same reference. */
const CONFLICTS = new Set([SERIALIZATION_FAILURE, DEADLOCK_DETECTED, UNIQUE_VIOLATION]);

/** The statements of an import. All except those for responses run in the transaction of {@link inTransaction}. */
@Injectable()
export class NodeImportRepository {
  constructor(private readonly database: Database) {}

  inTransaction<T>(work: (connection: BulkConnection) => Promise<T>): Promise<T> {
    return this.database.bulk(work, STATEMENT_TIMEOUT_MS);
  }

  async copyRows({ run, copyIn }: BulkConnection, rows: Readable): Promise<void> {
    await run(allowMemory);
    await run(createRows);
    await copyIn(COPY_ROWS, rows);
  }

  async removeRepeated({ run }: BulkConnection, word: string, most: number): Promise<RemovedRows> {
    const [removed] = await run<RemovedRows>(removeRepeated(word, most));
    return removed!;
  }

  async removeUnregistered({ run }: BulkConnection, tenant: string, most: number): Promise<RemovedRows> {
    const [removed] = await run<RemovedRows>(removeUnregistered(tenant, most));
    return removed!;
  }

  async lockRelations({ run }: BulkConnection, tenant: string): Promise<void> {
    await run(analyzeRows);
    await run(lockRelations(tenant));
  }

  /** @returns `undefined` if others changed the same nodes meanwhile: nothing was done, and the next attempt sees their changes */
  async applyRows({ run }: BulkConnection, tenant: string, collection: Collection, attempt: number): Promise<AppliedRows | undefined> {
    await run(beginAttempt);
    try {
      if (attempt > 1) {
        // Otherwise clients that keep changing these nodes could spoil every attempt. These locks outlast the attempt.
        await run(lockNodes(tenant, collection));
        await run(beginAttempt);
      }
      const [applied] = await run<AppliedRows>(applyRows(tenant, collection));
      if (applied!.updated === applied!.different) return applied;
    } catch (error) {
      if (!CONFLICTS.has(sqlState(error) ?? '')) throw error;
    }
    await run(undoAttempt);
    return undefined;
  }

  async findAnswer(tenant: string, key: string): Promise<StoredAnswer | undefined> {
    const [answer] = await this.database.run<StoredAnswer>(findAnswer(tenant, key));
    return answer;
  }

  /** @returns whether we got the key */
  async claimKey({ run }: BulkConnection, tenant: string, key: string, digest: string): Promise<boolean> {
    return (await run(claimKey(tenant, key, digest))).length > 0;
  }

  async storeAnswer({ run }: BulkConnection, tenant: string, key: string, report: object): Promise<void> {
    await run(storeAnswer(tenant, key, JSON.stringify(report)));
  }

  async removeOldAnswers(): Promise<void> {
    await this.database.run(removeOldAnswers);
  }
}
