import { type InvalidPart, Problem } from './problem.js';

/**
 * Problems that both services share; their codes are part of the API (see docs/api-design.md). A feature's own problems are in its
 * `*.problems.ts`.
 */

/** Seconds a client should wait before it retries. */
const RETRY_AFTER_SECONDS = 2;

export const malformedRequest = (detail: string, cause?: unknown): Problem =>
  new Problem(400, 'malformed-request', 'The request cannot be parsed', { detail, cause });

export const routeNotFound = (path: string): Problem =>
  new Problem(404, 'route-not-found', 'No such path', { detail: `No route matches ${path}.` });

/** @param allow the methods that the path supports, for the `Allow` header (RFC 9110 section 15.5.6). */
export const methodNotAllowed = (method: string, allow: readonly string[]): Problem =>
  new Problem(405, 'method-not-allowed', 'Method not allowed', {
    detail: `This path does not support ${method}; it supports ${allow.join(', ')}.`,
    headers: { allow: allow.join(', ') },
  });

export const notAcceptable = (produced: string): Problem =>
  new Problem(406, 'not-acceptable', 'No acceptable representation', {
    detail: `The response is ${produced}, which the Accept header does not allow.`,
  });

/** The rest of the body may still arrive, so the connection is closed. */
export const requestTimeout = (detail: string): Problem =>
  new Problem(408, 'request-timeout', 'Request Timeout', {
    detail: `${detail}; the connection is closed.`,
    headers: { connection: 'close' },
  });

/** @param limit what the body is over */
export const payloadTooLarge = (limit: number | string): Problem =>
  new Problem(413, 'payload-too-large', 'The body is too large', {
    detail: typeof limit === 'number' ? `The limit is ${limit} bytes.` : `The limit is ${limit}.`,
  });

/** @param accepted media types that the operation supports */
export const unsupportedMediaType = (detail: string, accepted: readonly string[]): Problem =>
  new Problem(415, 'unsupported-media-type', 'Unsupported media type', {
    detail,
    hint: `Send the body as ${accepted.join(' or ')} in UTF-8, with the matching Content-Type.`,
  });

/** Maximum number of invalid parts that a response lists. */
export const MAX_INVALID_PARTS = 100;
/** Maximum number of invalid parts that `detail` repeats. */
const MAX_TOLD = 10;

/** Lists every invalid part of a request (422), up to {@link MAX_INVALID_PARTS}. */
export function invalidRequest(errors: readonly InvalidPart[], hint?: string): Problem {
  const told = errors.slice(0, MAX_TOLD).map(({ pointer, parameter, detail }) => `${pointer ?? parameter}: ${detail}`);
  const more = errors.length > MAX_TOLD ? [`and ${errors.length - MAX_TOLD} more`] : [];
  return new Problem(422, 'invalid-request', 'Invalid request', {
    detail: [...told, ...more].join('; '),
    errors: errors.slice(0, MAX_INVALID_PARTS),
    hint,
  });
}

/** @param what the kind of record. The response is the same whether the record does not exist or belongs to another tenant. */
export const recordNotFound = (what: string, id: string): Problem =>
  new Problem(404, 'not-found', 'Not found', { detail: `There is no ${what} ${id}.` });

/** The record, if there is one. @throws Problem 404 */
export function found<T>(record: T | null | undefined, what: string, id: string): T {
  if (record == null) throw recordNotFound(what, id);
  return record;
}

/** A record does not meet the conditions in the headers of a write. */
export const preconditionFailed = (detail: string): Problem =>
  new Problem(412, 'precondition-failed', 'Precondition failed', {
    detail,
    hint: 'Read it again, and send the ETag of that response if you still want to make the change.',
  });

/**
 * @param what the kind of record that the key is for
 * @param different what differs from the request that used the key first
 */
export const idempotencyKeyTaken = (what: string, different: string): Problem =>
  new Problem(422, 'idempotency-key-taken', 'The idempotency key is taken', {
    detail: `This Idempotency-Key was used within the last 24 hours for a different ${different}.`,
    hint: `Use a new key for each ${what}, and the same key only to retry that ${what}.`,
  });

/** A temporary fault in the service or its database; nothing was done. */
export const unavailable = (detail: string, cause?: unknown): Problem =>
  new Problem(503, 'unavailable', 'Temporarily unavailable', {
    detail,
    hint: 'Send the same request again.',
    headers: { 'retry-after': String(RETRY_AFTER_SECONDS) },
    cause,
  });

/** A write whose result is not known. */
export const outcomeUnknown = (cause: unknown): Problem =>
  new Problem(503, 'outcome-unknown', 'Outcome unknown', {
    detail: 'The connection to the database was lost; the change may or may not have been made.',
    hint: 'Check whether the change was made. Send the request again only if making the change twice does no harm.',
    headers: { 'retry-after': String(RETRY_AFTER_SECONDS) },
    cause,
  });

/** A defect. The cause is logged, never sent to the client. */
export const internalError = (cause: unknown): Problem =>
  new Problem(500, 'internal-error', 'Internal error', {
    detail: 'The service failed. Its log has the cause under this request id.',
    cause,
  });
