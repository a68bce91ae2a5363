import { type components } from './generated/coverage-api.js';

/** Every error that a call throws is one of these. */
export class FibreError extends Error {
  override readonly name: string = 'FibreError';
}

/** No response, or an incomplete one: the request may or may not have been handled. */
export class ConnectionError extends FibreError {
  override readonly name = 'ConnectionError';
}

/** The response took longer than `timeoutMs`: the request may or may not have been handled. */
export class TimeoutError extends FibreError {
  override readonly name = 'TimeoutError';
}

/** The caller's signal was aborted; `cause` is the signal's reason. */
export class AbortedError extends FibreError {
  override readonly name = 'AbortError';
}

/** No access token: the issuer rejected the client, or the token function failed. */
export class TokenError extends FibreError {
  override readonly name = 'TokenError';
}

/** The response does not come from this API; it may be an HTML page from a proxy. */
export class UnexpectedAnswerError extends FibreError {
  override readonly name = 'UnexpectedAnswerError';
}

/** A spreadsheet cannot hold that many rows; CSV can. */
export class TooManyRowsError extends FibreError {
  override readonly name = 'TooManyRowsError';
}

type Schemas = components['schemas'];

/** What is wrong with one part of a request or one row of an import. */
export type InvalidPart = Partial<Schemas['InvalidPartResponse'] & Schemas['RowErrorResponse']> & { detail: string };

/** The body of an error response (RFC 9457). */
export interface Problem extends Partial<Omit<Schemas['ProblemResponse'], 'code' | 'errors'>> {
  code?: string;
  errors?: InvalidPart[];
  /** Members specific to the problem type, such as `conflicts_with`. */
  [member: string]: unknown;
}

/** The service rejected the request, or failed. */
export class ApiError extends FibreError {
  override readonly name = 'ApiError';
  readonly status: number;
  /** Stable code to branch on. Absent if something between the client and the service responded. */
  readonly code?: string;
  readonly detail: string;
  readonly hint?: string;
  /** Every invalid part of the request. */
  readonly errors: readonly InvalidPart[];
  /** Id of the request in the service's log. */
  readonly requestId?: string;
  /** Seconds after which a retry may succeed. */
  readonly retryAfter?: number;
  /** The whole body of the error response. */
  readonly problem: Problem;

  constructor(response: Response, body: unknown) {
    const problem: Problem = isProblem(body) ? body : {};
    const { code, hint, errors } = problem;
    const detail = problem.detail ?? (redirection(response) || response.statusText || 'no reason given');
    super([response.status, code].filter(Boolean).join(' ') + `: ${detail}`);
    this.status = response.status;
    this.code = code;
    this.detail = detail;
    this.hint = hint;
    this.errors = Array.isArray(errors) ? errors : [];
    this.requestId = problem.request_id ?? response.headers.get('x-request-id') ?? undefined;
    this.retryAfter = retryAfterSeconds(response.headers);
    this.problem = problem;
  }
}

/** Reads `Retry-After`, a number or a date (RFC 9110), as seconds from now. */
export function retryAfterSeconds(headers: Headers): number | undefined {
  const value = headers.get('retry-after');
  if (value === null) return undefined;
  if (/^\d+$/.test(value)) return Number(value);
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - Date.now()) / 1_000));
}

function isProblem(body: unknown): body is Problem {
  return typeof body === 'object' && body !== null && !Array.isArray(body);
}

function redirection({ headers, type }: Response): string | undefined {
  const location = headers.get('location');
  if (location !== null) return `redirected to ${location}; redirects are not followed, so configure that address`;
  return type === 'opaqueredirect' ? 'redirected; redirects are not followed' : undefined;
}
