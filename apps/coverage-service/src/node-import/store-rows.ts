import type { Readable } from 'node:stream';
import {
  type BulkConnection,
  ContentionError,
  DEADLOCK_DETECTED,
  MAX_TRANSACTION_ATTEMPTS,
  type Run,
  SERIALIZATION_FAILURE,
  sqlState,
  UNIQUE_VIOLATION,
} from '@fibre/database';
import type { Collection } from '../access-nodes/access-node.js';
import { MAX_FAULTS, type RowFault } from '../files/sent-row.js';
import {
  allowMemory,
  analyzeRows,
  type AppliedRows,
  applyRows,
  beginAttempt,
  COPY_ROWS,
  createRows,
  lockNodes,
  lockRelations,
  removeRepeated,
  type RemovedRows,
  removeUnregistered,
  undoAttempt,
} from './node-import.sql.js';

/** Errors that mean that another transaction changed the same nodes, or created one with the same reference. */
const CONFLICTS = new Set([SERIALIZATION_FAILURE, DEADLOCK_DETECTED, UNIQUE_VIOLATION]);

/** What a row number counts: lines, or the features of a GeoJSON file; both are counted from 1. */
export type RowUnit = 'line' | 'feature';

/** A {@link RowFault} with the number of its line or feature. */
export interface PlacedFault extends RowFault {
  readonly place: number;
}

/** Where rows are stored, and which rules apply to them. */
export interface RowsTarget {
  readonly tenant: string;
  readonly collection: Collection;
  readonly unit: RowUnit;
  /** The relation of all rows, if its nodes that no row names are deleted. */
  readonly whole?: string | undefined;
  /** Whether rows may only name relations that the tenant has created. */
  readonly isRegistered: boolean;
}

/** What happened to the rows of a file, and which of them failed the checks in the database. */
export interface StoredRows extends AppliedRows {
  readonly refused: number;
  readonly faults: readonly PlacedFault[];
}

/**
 * Creates, updates and deletes nodes from rows in the text format of COPY.
 *
 * @throws ContentionError
 */
export async function storeRows({ run, copyIn }: BulkConnection, rows: Readable, target: RowsTarget): Promise<StoredRows> {
  const { tenant, collection, unit, isRegistered } = target;
  await run(allowMemory);
  await run(createRows);
  await copyIn(COPY_ROWS, rows);
  const [repeated] = await run<RemovedRows>(removeRepeated(unit, MAX_FAULTS));
  const [unregistered] = isRegistered ? await run<RemovedRows>(removeUnregistered(tenant, MAX_FAULTS)) : [];
  const faults = [
    ...repeated!.first.map((fault) => ({ ...fault, column: 'customer_reference' })),
    ...(unregistered?.first ?? []).map((fault) => ({ ...fault, column: 'relation_id' })),
  ];
  const refused = repeated!.count + (unregistered?.count ?? 0);
  // Rejected rows name nodes too, but nobody knows which.
  const whole = refused === 0 ? target.whole : undefined;
  await run(analyzeRows);
  await run(lockRelations(tenant, whole));
  for (let attempt = 1; attempt <= MAX_TRANSACTION_ATTEMPTS; attempt++) {
    const applied = await attemptToApply(run, { tenant, collection, whole }, attempt);
    if (applied) return { ...applied, refused, faults };
  }
  throw new ContentionError(MAX_TRANSACTION_ATTEMPTS, undefined);
}

/** @returns `undefined` if other transactions changed the same nodes; nothing was changed, and the next attempt sees their changes */
async function attemptToApply(
  run: Run,
  { tenant, collection, whole }: Pick<RowsTarget, 'tenant' | 'collection' | 'whole'>,
  attempt: number,
): Promise<AppliedRows | undefined> {
  await run(beginAttempt);
  try {
    if (attempt > 1) {
      // Without these locks, clients that keep changing the nodes could make every attempt fail. The locks outlast the attempt.
      await run(lockNodes(tenant, collection, whole));
      await run(beginAttempt);
    }
    const [applied] = await run<AppliedRows>(applyRows(tenant, collection, whole));
    if (applied!.updated === applied!.different && applied!.deleted === applied!.absent) return applied;
  } catch (error) {
    if (!CONFLICTS.has(sqlState(error) ?? '')) throw error;
  }
  await run(undoAttempt);
  return undefined;
}
