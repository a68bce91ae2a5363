import type { InvalidPartResponse } from './problem.response.js';

/** One invalid part of a request. */
export type InvalidPart = Readonly<InvalidPartResponse>;

/** What is specific to one {@link Problem}. */
export interface ProblemOptions {
  /** What went wrong this time, as text for a person to read. Never contains the cause, SQL or a secret. */
  readonly detail: string;
  readonly errors?: readonly InvalidPart[];
  /** What the client can do about it. */
  readonly hint?: string;
  /** Response headers that belong to the problem: `Allow`, `Retry-After`, `WWW-Authenticate`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Additional members of the body (RFC 9457 section 3.2). */
  readonly extensions?: Readonly<Record<string, unknown>>;
  /** The cause, only for the log. */
  readonly cause?: unknown;
}

/** An error that is sent as `application/problem+json` (RFC 9457). */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly headers: Readonly<Record<string, string>>;

  /**
   * @param code stable kebab-case code, part of the API: clients branch on it
   * @param title short text, the same for every problem with this code
   */
  constructor(
    readonly status: number,
    readonly code: string,
    private readonly title: string,
    private readonly options: ProblemOptions,
  ) {
    super(options.detail, { cause: options.cause });
    this.headers = options.headers ?? {};
  }

  /** The response body. `instance` is the request path without its query, if there is a request. */
  toBody(instance: string | undefined, requestId: string | undefined): Record<string, unknown> {
    const { status, code, title } = this;
    const { detail, errors, hint, extensions } = this.options;
    return {
      type: `urn:open-access-fibre:problem:${code}`,
      title,
      status,
      detail,
      instance,
      code,
      ...(errors && { errors }),
      ...(hint !== undefined && { hint }),
      ...extensions,
      ...(requestId !== undefined && { request_id: requestId }),
    };
  }
}
