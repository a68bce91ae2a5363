import { WorkCancelled } from './deadline.js';

/** SQLSTATE of a violated unique constraint. */
export const UNIQUE_VIOLATION = '23505';
/** SQLSTATE of a serialization failure. */
export const SERIALIZATION_FAILURE = '40001';
/** SQLSTATE of the transaction that PostgreSQL aborted to resolve a deadlock. */
export const DEADLOCK_DETECTED = '40P01';

/** Connection exceptions, insufficient resources (too many connections, disk full), and a server that is shutting down or starting up. */
const UNAVAILABLE_STATES = /^(08...|53...|57P0[1-5])$/;
/** Invalid authorization, or an unknown database. */
const REJECTED_STATES = /^(28...|3D000)$/;
/** SQLSTATE of PgBouncer's own errors: the server is gone, a wait was too long, or PgBouncer rejects us. */
const POOLER_ERROR = '08P01';
/** Rejections by PgBouncer or its server: up to version 1.19, PgBouncer passes on the server's message, but not the SQLSTATE. */
const POOLER_REJECTIONS =
  /^(unsupported (options )?startup parameter|no such (user|database)|[^,:]*authentication failed|(unix socket )?login rejected|SSL required|(database|role) ".*" does not exist|no pg_hba\.conf entry|permission denied for database)/;
/** Internal error that a Citus coordinator reports for a running statement when its postmaster is killed. */
const COORDINATOR_GONE = 'postmaster was shut down, exiting';
/** TLS failed, usually because of the server's certificate, or the CA file cannot be read. */
const UNTRUSTED_CODES = /CERT|^(UNABLE_TO|ERR_SSL|ERR_TLS)_|^INVALID_(CA|PURPOSE)$|^(ENOENT|EACCES)$/;
/** pg's message, without a code, when `sslmode` requires TLS and the server has none. */
const WITHOUT_TLS = /^(The server does not support SSL|There was an error establishing an SSL) connection/;
/** A write was sent to a standby: after a failover, a new connection will find the new primary. */
const READ_ONLY_TRANSACTION = '25006';
/** statement_timeout (a cancelled statement), lock_timeout, idle_in_transaction_session_timeout, and transaction_timeout. */
const TIMEOUT_STATES = new Set(['57014', '55P03', '25P03', '25P04']);

const UNAVAILABLE_SYSTEM_CODES = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN'],
  ...['EHOSTUNREACH', 'EHOSTDOWN', 'ENETUNREACH', 'ENETDOWN', 'EADDRNOTAVAIL'],
]);

/** pg's message when a statement gets no response in time. */
export const READ_TIMEOUT = 'Query read timeout';
/** Messages of pg and TypeORM, without a code, for a connection that is lost, silent, too slow to open, or closed by us. */
const UNAVAILABLE_MESSAGES =
  /^(Connection terminated|timeout exceeded when trying to connect|timeout expired|Client has encountered a connection error|Client was closed|Cannot use a pool after calling end|Query read timeout|Driver not Connected)/;

/** Errors that pg reports before a statement is sent. */
const NOT_SENT = /not queryable|Cannot use a pool|Driver not Connected|trying to connect/;

interface ErrorLike {
  code?: unknown;
  message?: unknown;
  severity?: unknown;
  routine?: unknown;
  driverError?: unknown;
  cause?: unknown;
  errors?: unknown;
}

/** The SQLSTATE (five characters) of an error of pg or TypeORM; undefined for other errors. */
export function sqlState(error: unknown): string | undefined {
  for (const { code, severity } of chain(error)) {
    if (typeof code === 'string' && typeof severity === 'string') return code;
  }
  return undefined;
}

/** A row with this key already exists. */
export function isUniqueViolation(error: unknown): boolean {
  return sqlState(error) === UNIQUE_VIOLATION;
}

/** The server cancelled a statement, a wait for a lock or an idle transaction, and rolled back. The database itself is fine. */
export function isTimeout(error: unknown): boolean {
  return chain(error).some(({ code }) => TIMEOUT_STATES.has(code as string));
}

/** The request ended before its work was done: at its deadline, or because its client disconnected. */
export function cancellation(error: unknown): WorkCancelled | undefined {
  return chain(error).find((cause) => cause instanceof WorkCancelled);
}

/**
 * There is no connection, or it broke: the database is down, full, restarting or unreachable. Retry later, unless {@link isOutcomeUnknown}.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  return chain(error).some((cause) => {
    const { code, message, severity } = cause;
    if (typeof code === 'string' && typeof severity === 'string') {
      return (UNAVAILABLE_STATES.test(code) && !isPoolerRejection(cause)) || code === READ_ONLY_TRANSACTION || message === COORDINATOR_GONE;
    }
    return UNAVAILABLE_SYSTEM_CODES.has(code as string) || UNAVAILABLE_MESSAGES.test(String(message));
  });
}

/**
 * The server rejects our connections because of a wrong password or database, or we don't trust its certificate. Startup fails immediately;
 * a request treats it like {@link isDatabaseUnavailable}, because the cause may be fixed while the service runs.
 */
export function isConnectionRejected(error: unknown): boolean {
  const state = sqlState(error);
  if (state !== undefined) return REJECTED_STATES.test(state) || chain(error).some(isPoolerRejection);
  return chain(error).some(({ code, message }) => UNTRUSTED_CODES.test(String(code)) || WITHOUT_TLS.test(String(message)));
}

const isPoolerRejection = ({ code, message }: ErrorLike): boolean => code === POOLER_ERROR && POOLER_REJECTIONS.test(String(message));

/** SQLSTATEs with which a server closes a connection during a statement. */
const ENDED_STATES = /^(08...|57P0[124])$/;
const unknownOutcomes = new WeakSet<object>();

/** The statement was sent, but no response arrived: the server may have run it. */
export function isResponseLost(error: unknown): boolean {
  const state = sqlState(error);
  if (state !== undefined) return ENDED_STATES.test(state) || (error as ErrorLike).message === COORDINATOR_GONE;
  return isDatabaseUnavailable(error) && !NOT_SENT.test((error as Error).message);
}

export function markOutcomeUnknown(error: Error): void {
  unknownOutcomes.add(error);
}

/**
 * A statement outside a transaction, or a commit, was sent and its response was lost, so its change may or may not exist. Also true for a
 * read, where it does not matter. An error in any other statement means that nothing was changed.
 */
export function isOutcomeUnknown(error: unknown): boolean {
  return chain(error).some((cause) => unknownOutcomes.has(cause));
}

/**
 * SQLSTATE and routine of the errors that mean that the result columns of a statement have changed since it was planned. The statement may
 * be in a function that waited for the table.
 */
const STALE_PLANS: Readonly<Record<string, string>> = { '0A000': 'RevalidateCachedQuery', '42804': 'tupledesc_match' };

/**
 * A migration changed a table that a statement uses. The statement had no effect; if it is prepared, it keeps failing on this connection.
 */
export function isStalePlan(error: unknown): boolean {
  return chain(error).some(({ code, routine }) => routine !== undefined && STALE_PLANS[String(code)] === routine);
}

/** A connection that had this error must not be used again. */
export function breaksConnection(error: unknown): boolean {
  const fatal = chain(error).some(({ severity }) => severity === 'FATAL' || severity === 'PANIC');
  return fatal || isStalePlan(error) || isDatabaseUnavailable(error);
}

/** The error, the errors that it wraps, and the error of each address if the host has several. */
function chain(error: unknown): ErrorLike[] {
  const found = new Set<ErrorLike>();
  const visit = (value: unknown) => {
    if (typeof value !== 'object' || value === null || found.has(value)) return;
    const current: ErrorLike = value;
    found.add(current);
    [current.driverError, current.cause, ...(Array.isArray(current.errors) ? (current.errors as unknown[]) : [])].forEach(visit);
  };
  visit(error);
  return [...found];
}
