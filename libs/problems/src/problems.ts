import { type InvalidPart, Problem } from './problem.js';

/**
 * The problems both services share. What only one feature can run into stands in its own `*.problems.ts`.
 * Codes are part of the API and documented in docs/api-design.md.
 */

/** Seconds a client should wait before it repeats a request that met a passing fault. */
const RETRY_AFTER_SECONDS = 2;

export const malformedRequest = (detail: string, cause?: unknown): Problem =>
  new Problem({ status: 400, code: 'malformed-request', title: 'The request cannot be parsed', detail, cause });

export const routeNotFound = (path: string): Problem =>
  new Problem({ status: 404, code: 'route-not-found', title: 'No such path', detail: `There is nothing at ${path}.` });

/** @param allow the methods the path does answer, for the `Allow` header (RFC 9110 section 15.5.6). */
export const methodNotAllowed = (method: string, allow: readonly string[]): Problem =>
  new Problem({
    status: 405,
    code: 'method-not-allowed',
    title: 'Method not allowed',
    detail: `${method} is not possible here; ${allow.join(', ')} ${allow.length === 1 ? 'is' : 'are'}.`,
    headers: { allow: allow.join(', ') },
  });

export const notAcceptable = (produced: string): Problem =>
  new Problem({
    status: 406,
    code: 'not-acceptable',
    title: 'No acceptable representation',
    detail: `The answer is ${produced}, which the Accept header rules out.`,
  });

/** The rest of the body may still come, so the connection ends with this response. */
export const requestTimeout = (): Problem =>
  new Problem({
    status: 408,
    code: 'request-timeout',
    title: 'Request Timeout',
    detail: 'The request took too long to arrive; the connection is closed.',
    headers: { connection: 'close' },
  });

export const payloadTooLarge = (limitBytes: number): Problem =>
  new Problem({
    status: 413,
    code: 'payload-too-large',
    title: 'The body is too large',
    detail: `A body may have at most ${limitBytes} bytes.`,
  });

/** @param accepted media types the operation takes. */
export const unsupportedMediaType = (detail: string, accepted: readonly string[]): Problem =>
  new Problem({
    status: 415,
    code: 'unsupported-media-type',
    title: 'Unsupported media type',
    detail,
    hint: `Send the body as ${accepted.join(' or ')} in UTF-8, with that Content-Type.`,
  });

/** Most offenders that an answer names. */
export const MAX_INVALID_PARTS = 100;
/** Most of them that the sentence for humans repeats. */
const MAX_TOLD = 10;

/** Every offender of a request at once (422), up to {@link MAX_INVALID_PARTS}. */
export function invalidRequest(errors: readonly InvalidPart[], hint?: string): Problem {
  const told = errors.slice(0, MAX_TOLD).map(({ pointer, parameter, detail }) => `${pointer ?? parameter}: ${detail}`);
  const more = errors.length > MAX_TOLD ? [`and ${errors.length - MAX_TOLD} more`] : [];
  return new Problem({
    status: 422,
    code: 'invalid-request',
    title: 'Invalid request',
    detail: [...told, ...more].join('; '),
    errors: errors.slice(0, MAX_INVALID_PARTS),
    hint,
  });
}

/** @param what the kind of record. The same answer whether it is absent or another tenant's. */
export const recordNotFound = (what: string, id: string): Problem =>
  new Problem({ status: 404, code: 'not-found', title: 'Not found', detail: `There is no ${what} ${id}.` });

export const preconditionFailed = (what: string, detail = `The ${what} has changed since the version named in If-Match.`): Problem =>
  new Problem({
    status: 412,
    code: 'precondition-failed',
    title: 'Precondition failed',
    detail,
    hint: 'Read it again, decide again, and send the ETag of that answer.',
  });

/** A passing fault on our side; nothing was done. */
export const unavailable = (detail: string, cause?: unknown): Problem =>
  new Problem({
    status: 503,
    code: 'unavailable',
    title: 'Temporarily unavailable',
    detail,
    hint: 'Send the same request again.',
    headers: { 'retry-after': String(RETRY_AFTER_SECONDS) },
    cause,
  });

/** A write that may or may not have happened. */
export const outcomeUnknown = (cause: unknown): Problem =>
  new Problem({
    status: 503,
    code: 'outcome-unknown',
    title: 'Outcome unknown',
    detail: 'The connection to the database was lost; the request may or may not have been carried out.',
    hint: 'Look whether it was carried out. Repeat it only if it does no harm twice.',
    headers: { 'retry-after': String(RETRY_AFTER_SECONDS) },
    cause,
  });

/** A defect. The cause goes to the log, never to the client. */
export const internalError = (cause: unknown): Problem =>
  new Problem({
    status: 500,
    code: 'internal-error',
    title: 'Internal error',
    detail: 'The service failed. The request id finds the cause in its log.',
    cause,
  });
