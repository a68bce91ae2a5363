import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { Pool, PoolClient } from 'pg';
import { breaksConnection, DEADLOCK_DETECTED, isStalePlan, SERIALIZATION_FAILURE, sqlState } from '../connection/database-errors.js';
import type { Statement } from './sql.js';

/** Runs `work` on a connection from the pool, and returns the connection unless it broke. The pool drops closed connections. */
export async function withConnection<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let isBroken = false;
  try {
    return await work(client);
  } catch (error) {
    // Unlike pool.query, we don't close the connection after every error: after a unique violation it is still usable.
    isBroken = breaksConnection(error);
    throw error;
  } finally {
    client.release(isBroken);
  }
}

/** Maximum number of prepared texts per label: a connection keeps each of them until it closes, and filters produce hundreds of texts. */
const PREPARED_TEXTS = 4;
const names = new Map<string, Map<string, string>>();

/**
 * The name of a prepared statement: its label and a hash of its text, so that a name means the same text on every connection of a pooler.
 * In each process, only the first few texts with the same label get a name; further texts are parsed each time.
 */
export function preparedName({ name: label, text }: Statement): string | undefined {
  if (label === '') return undefined;
  const ofLabel = names.get(label) ?? new Map<string, string>();
  names.set(label, ofLabel);
  if (!ofLabel.has(text) && ofLabel.size < PREPARED_TEXTS) {
    ofLabel.set(text, `${label}-${createHash('sha256').update(text).digest('hex').slice(0, 12)}`);
  }
  return ofLabel.get(text);
}

/** SQLSTATEs of errors that occur during execution, when the statement has already been prepared; 55P03 ends a wait for a row's lock. */
const CARRIED_OUT = /^(22|23|40|55P03)/;
/** SQLSTATEs that mean that the server's connection is not the one on which a statement was prepared: the name is unknown, or taken. */
const OTHER_CONNECTION = /^(26000|42P05)$/;

/**
 * Runs one statement on a connection.
 *
 * @param responseWithinMs milliseconds after which pg gives up; if absent, the connection's limit
 */
export async function send<Row extends object>(
  client: PoolClient,
  statement: Statement,
  named: boolean,
  responseWithinMs?: number,
): Promise<Row[]> {
  const { text, values } = statement;
  const name = named ? preparedName(statement) : undefined;
  const config = { text, values, name, ...(responseWithinMs !== undefined && { query_timeout: responseWithinMs }) };
  try {
    const { rows } = await inSpan(statement, () => client.query<Row>(config));
    return rows;
  } catch (error) {
    // The statement may not have been prepared. PgBouncer still remembers the name, and closes a connection that prepares it again.
    if (name === undefined) throw error;
    const state = sqlState(error) ?? '';
    if (!CARRIED_OUT.test(state)) void client.end();
    if (!OTHER_CONNECTION.test(state)) throw error;
    throw new Error('the pooler does not support prepared statements: set DATABASE_NAMED_STATEMENTS=false', { cause: error });
  }
}

const tracer = trace.getTracer('@fibre/database');

/**
 * Runs a statement; if there is a trace, within a span named after the statement. Values are never recorded. Attributes follow the
 * semantic conventions for databases.
 */
function inSpan<T>({ name }: Pick<Statement, 'name'>, work: () => Promise<T>): Promise<T> {
  if (!trace.getActiveSpan()?.isRecording()) return work();
  const attributes = { 'db.system.name': 'postgresql', 'db.query.summary': name };
  return tracer.startActiveSpan(name, { kind: SpanKind.CLIENT, attributes }, async (span) => {
    try {
      return await work();
    } catch (error) {
      fail(span, error);
      throw error;
    } finally {
      span.end();
    }
  });
}

function fail(span: Span, error: unknown): void {
  const state = sqlState(error);
  if (state !== undefined) span.setAttribute('db.response.status_code', state);
  span.setAttribute('error.type', state ?? (error instanceof Error ? error.name : 'unknown')).setStatus({ code: SpanStatusCode.ERROR });
}

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
