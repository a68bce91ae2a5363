/** Whatever goes wrong in a call is one of these. */
export class FibreError extends Error {
  override readonly name: string = 'FibreError';
}

/** No answer, or half of one: whether the request was carried out is not known. */
export class ConnectionError extends FibreError {
  override readonly name = 'ConnectionError';
}

/** The answer took longer than `timeoutMs`: whether the request was carried out is not known. */
export class TimeoutError extends FibreError {
  override readonly name = 'TimeoutError';
}

/** The caller's signal was aborted; its reason is the cause. */
export class AbortedError extends FibreError {
  override readonly name = 'AbortError';
}

/** There is no access token: the issuer refused the client, or the function that gives tokens failed. */
export class TokenError extends FibreError {
  override readonly name = 'TokenError';
}

/** The answer is none of this API: a page of a proxy, for instance, or a listing that goes in a circle. */
export class UnexpectedAnswerError extends FibreError {
  override readonly name = 'UnexpectedAnswerError';
}

/** What is wrong with one part of a request, or with one row of an import. */
export interface InvalidPart {
  /** JSON pointer into the body, as a URI fragment. */
  pointer?: string;
  /** Name of a query parameter, path parameter or header. */
  parameter?: string;
  /** Line of an imported file; the header is line 1. */
  line?: number;
  /** Feature of an imported GeoJSON file, from 1. */
  feature?: number;
  column?: string;
  detail: string;
}

/** The body of a refusal (RFC 9457). */
export interface Problem {
  status?: number;
  /** The kind of problem in words. */
  title?: string;
  code?: string;
  detail?: string;
  hint?: string;
  errors?: InvalidPart[];
  request_id?: string;
  /** Members of this kind of problem alone, `conflicts_with` for instance. */
  [member: string]: unknown;
}

/** The service refused the request, or failed. */
export class ApiError extends FibreError {
  override readonly name = 'ApiError';
  readonly status: number;
  /** Stable, to branch on. Absent when something between client and service answered. */
  readonly code?: string;
  readonly detail: string;
  readonly hint?: string;
  /** Every offender, when the input is invalid. */
  readonly errors: readonly InvalidPart[];
  /** Finds the request in the log of the service. */
  readonly requestId?: string;
  /** Seconds after which the same request may be answered. */
  readonly retryAfter?: number;
  /** All that the service said. */
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

/** Seconds from now, whether the header gives them or a date (RFC 9110). */
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
  if (location !== null) return `redirected to ${location}, which is not followed: give that address`;
  return type === 'opaqueredirect' ? 'redirected, which is not followed' : undefined;
}
