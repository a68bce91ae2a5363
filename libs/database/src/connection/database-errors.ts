import { WorkCancelled } from './deadline.js';

/** SQLSTATE of a violated unique constraint. */
export const UNIQUE_VIOLATION = '23505';
/** SQLSTATE of a violated check constraint. */
const CHECK_VIOLATION = '23514';
/** SQLSTATE of a serialization failure. */
export const SERIALIZATION_FAILURE = '40001';
/** SQLSTATE of the transaction that PostgreSQL aborted to resolve a deadlock. */
export const DEADLOCK_DETECTED = '40P01';
/** SQLSTATE of a wait for a lock that took longer than `lock_timeout`. */
const LOCK_NOT_AVAILABLE = '55P03';

/** pg's message when a statement gets no response in time. */
export const READ_TIMEOUT = 'Query read timeout';

/**
 * What an error says about the database:
 *
 * - `lost`: the connection broke while it was in use. A statement that was sent may have run.
 * - `unavailable`: there is no connection, or none that can be used. The statement has not run.
 * - `rejected`: the database does not let us in, or we do not trust it. Waiting does not help.
 * - `timeout`: the server cancelled a statement, a wait for a lock or an idle transaction, and rolled back.
 */
type Meaning = 'lost' | 'unavailable' | 'rejected' | 'timeout';

/** By SQLSTATE or Node's code or, for errors without a code, by the message of pg or TypeORM. */
const MEANINGS: readonly { readonly code?: RegExp; readonly message?: RegExp; readonly means: Meaning }[] = [
  // Connection exceptions. PgBouncer uses 08P01 for most of its own errors, even if it rejects us.
  { code: /^08/, means: 'lost' },
  // The server is shutting down or has crashed, or the database has been dropped.
  { code: /^57P0[124]$/, means: 'lost' },
  // The server is starting up, or has closed an idle session.
  { code: /^57P0[35]$/, means: 'unavailable' },
  // Insufficient resources: too many connections, disk full.
  { code: /^53/, means: 'unavailable' },
  // A write was sent to a standby: after a failover, a new connection will find the new primary.
  { code: /^25006$/, means: 'unavailable' },
  // Invalid authorization, or an unknown database.
  { code: /^(28|3D000)/, means: 'rejected' },
  // statement_timeout (a cancelled statement), lock_timeout, idle_in_transaction_session_timeout, and transaction_timeout.
  { code: /^(57014|55P03|25P03|25P04)$/, means: 'timeout' },
  { code: /^(ECONNRESET|ECONNABORTED|EPIPE|ETIMEDOUT|EHOSTUNREACH|EHOSTDOWN|ENETUNREACH|ENETDOWN)$/, means: 'lost' },
  { code: /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EADDRNOTAVAIL)$/, means: 'unavailable' },
  // TLS failed, usually because of the server's certificate, or the CA file cannot be read.
  { code: /CERT|^(UNABLE_TO|ERR_SSL|ERR_TLS)_|^INVALID_(CA|PURPOSE)$|^(ENOENT|EACCES)$/, means: 'rejected' },
  // sslmode requires TLS, and the server has none.
  { message: /^(The server does not support SSL|There was an error establishing an SSL) connection/, means: 'rejected' },
  { message: new RegExp(`^(Connection terminated|${READ_TIMEOUT})`), means: 'lost' },
  { message: /not queryable$|^timeout (expired|exceeded)|^Cannot use a pool|^Driver not Connected/, means: 'unavailable' },
];

interface ErrorLike {
  code?: unknown;
  message?: unknown;
  severity?: unknown;
  routine?: unknown;
  constraint?: unknown;
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

/** The row would violate this check constraint. */
export function isCheckViolation(error: unknown, constraint: string): boolean {
  return sqlState(error) === CHECK_VIOLATION && chain(error).some((cause) => cause.constraint === constraint);
}

/** Another transaction held a lock for longer than this one was allowed to wait. Nothing was done. */
export function isLockTimeout(error: unknown): boolean {
  return sqlState(error) === LOCK_NOT_AVAILABLE;
}

const says = (error: unknown, meaning: Meaning): boolean =>
  chain(error).some(({ code, message }) => {
    const fits = (row: (typeof MEANINGS)[number]) => (typeof code === 'string' ? row.code?.test(code) : row.message?.test(String(message)));
    return MEANINGS.some((row) => row.means === meaning && fits(row));
  });

/** The server cancelled a statement, a wait for a lock or an idle transaction, and rolled back. The database itself is fine. */
export const isTimeout = (error: unknown): boolean => says(error, 'timeout');

/** The request ended before its work was done: at its deadline, or because its client disconnected. */
export function cancellation(error: unknown): WorkCancelled | undefined {
  return chain(error).find((cause) => cause instanceof WorkCancelled);
}

/**
 * There is no connection, or it broke: the database is down, full, restarting or unreachable. Retry later, unless {@link isOutcomeUnknown}.
 */
export const isDatabaseUnavailable = (error: unknown): boolean => says(error, 'unavailable') || isResponseLost(error);

/**
 * The server rejects our connections because of a wrong password or database, or we don't trust its certificate. Startup fails immediately;
 * a request treats it like {@link isDatabaseUnavailable}, because the cause may be fixed while the service runs.
 */
export const isConnectionRejected = (error: unknown): boolean => says(error, 'rejected');

/** The statement was sent, but no response arrived: the server may have run it. */
export const isResponseLost = (error: unknown): boolean => says(error, 'lost');

const unknownOutcomes = new WeakSet<object>();

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
