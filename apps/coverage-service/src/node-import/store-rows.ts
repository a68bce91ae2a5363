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
import { MAX_FAULTS } from '../files/sent-row.js';
import {
  allowMemory,
  analyzeRows,
  COPY_ROWS,
  createRows,
  lockRelations,
  removeAfter,
  removeRepeated,
  type RemovedRows,
  removeUnregistered,
} from './import-rows.sql.js';
import { findLikelyChanged, type LikelyChanged } from './likely-changed.sql.js';
import { type AppliedRows, applyRows, beginAttempt, countRows, lockNodes, undoAttempt } from './node-import.sql.js';
import { MAX_REFUSED, RefusedRows } from './refused-rows.js';

/** Errors that mean that another transaction changed the same nodes, or created one with the same reference. */
const CONFLICTS = new Set([SERIALIZATION_FAILURE, DEADLOCK_DETECTED, UNIQUE_VIOLATION]);

/** What a row number counts: lines, or the features of a GeoJSON file; both are counted from 1. */
export type RowUnit = 'line' | 'feature';

/** Where rows are stored, and which rules apply to them. */
export interface RowsTarget {
  readonly tenant: string;
  /** Who imports them. */
  readonly actor: string | null;
  readonly collection: Collection;
  readonly unit: RowUnit;
  /** The relation of all rows, if its nodes that no row names are deleted. */
  readonly whole?: string | undefined;
  /** Whether rows may only name relations that the tenant has created. */
  readonly isRegistered: boolean;
  /** Whether nothing is stored if any row is refused. */
  readonly isStrict: boolean;
  /** Whether nothing is stored in any case. */
  readonly isDry: boolean;
}

/** The rows of a file. */
export interface FileRows {
  /** The valid ones, in the text format of COPY. */
  readonly valid: Readable;
  /** Number of valid and refused rows. */
  readonly count: number;
  readonly refused: RefusedRows;
}

/** What happened to the rows of a file, or would have happened. */
export interface StoredRows extends AppliedRows {
  /** Number of rows up to the one at which the import stopped. */
  readonly rows: number;
  readonly refused: RefusedRows;
  /** Only of a dry run. */
  readonly likelyChanged: readonly LikelyChanged[];
}

const MOST_REMOVED = { places: MAX_REFUSED, faults: MAX_FAULTS };

/**
 * Creates, updates and deletes nodes from the rows of a file. If nothing will be stored, it only counts: it then writes no node and locks
 * none, because a file that is refused should cost others nothing.
 *
 * @throws ContentionError
 */
export async function storeRows(connection: BulkConnection, file: FileRows, target: RowsTarget): Promise<StoredRows> {
  const { run } = connection;
  const { tenant, actor, collection } = target;
  const checked = await copyValidRows(connection, file, target);
  const hasRefused = checked.refused.count > 0;
  // Rejected rows name nodes too, but nobody knows which.
  const whole = hasRefused ? undefined : target.whole;
  await run(analyzeRows);
  if (target.isDry || (target.isStrict && hasRefused)) {
    const [counted] = await run<AppliedRows>(countRows(tenant, collection, whole));
    const isAsked = target.isDry && counted!.created > 0;
    const likelyChanged = isAsked ? await run<LikelyChanged>(findLikelyChanged(tenant, collection, MAX_FAULTS)) : [];
    return { ...counted!, ...checked, likelyChanged };
  }
  await run(lockRelations(tenant, whole));
  for (let attempt = 1; attempt <= MAX_TRANSACTION_ATTEMPTS; attempt++) {
    const applied = await attemptToApply(run, { tenant, actor, collection, whole }, attempt);
    if (applied) return { ...applied, ...checked, likelyChanged: [] };
  }
  throw new ContentionError(MAX_TRANSACTION_ATTEMPTS, undefined);
}

/** Copies the valid rows into a temporary table, and refuses those of them that the database finds to be invalid. */
async function copyValidRows(
  { run, copyIn }: BulkConnection,
  file: FileRows,
  target: RowsTarget,
): Promise<Pick<StoredRows, 'rows' | 'refused'>> {
  const { tenant, unit, isRegistered } = target;
  await run(allowMemory);
  await run(createRows);
  await copyIn(COPY_ROWS, file.valid);
  const [repeated] = await run<RemovedRows>(removeRepeated(unit, MOST_REMOVED));
  const [unregistered] = isRegistered ? await run<RemovedRows>(removeUnregistered(tenant, MOST_REMOVED)) : [];
  const refused = RefusedRows.of(
    [...file.refused.places, ...repeated!.places, ...(unregistered?.places ?? [])],
    [
      ...file.refused.faults,
      ...repeated!.faults.map((fault) => ({ ...fault, column: 'customer_reference' })),
      ...(unregistered?.faults ?? []).map((fault) => ({ ...fault, column: 'relation_id' })),
    ],
  );
  if (refused.stoppedAt === undefined) return { rows: file.count, refused };
  const [left] = await run<{ count: number }>(removeAfter(refused.stoppedAt));
  return { rows: left!.count + refused.count, refused };
}

/** @returns `undefined` if other transactions changed the same nodes; nothing was changed, and the next attempt sees their changes */
async function attemptToApply(
  run: Run,
  { tenant, actor, collection, whole }: Pick<RowsTarget, 'tenant' | 'actor' | 'collection' | 'whole'>,
  attempt: number,
): Promise<AppliedRows | undefined> {
  await run(beginAttempt);
  try {
    if (attempt > 1) {
      // Without these locks, clients that keep changing the nodes could make every attempt fail. The locks outlast the attempt.
      await run(lockNodes(tenant, collection, whole));
      await run(beginAttempt);
    }
    const [applied] = await run<AppliedRows>(applyRows(tenant, actor, collection, whole));
    if (applied!.updated === applied!.different && applied!.deleted === applied!.absent) return applied;
  } catch (error) {
    if (!CONFLICTS.has(sqlState(error) ?? '')) throw error;
  }
  await run(undoAttempt);
  return undefined;
}
