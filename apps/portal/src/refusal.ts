import { AbortedError, ApiError, type Call, FibreError, type Problem, TokenError, TooManyRowsError } from '@fibre/client';

/** Sentences to display, one per line; `lang` is set if they come from a service. */
export interface Sentences {
  readonly text: string;
  readonly lang?: 'en';
}

/** Why a request failed, in the form that pages handle. */
export class Refusal extends Error {
  override readonly name = 'Refusal';

  constructor(
    /** 0 if the service did not respond: no network, a lost connection, or an HTML page from a proxy. */
    readonly status: number,
    readonly problem: Problem = {},
    /** Number of seconds after which the service suggests retrying. */
    readonly retryAfter?: number,
  ) {
    super(problem.detail ?? problem.title ?? `HTTP ${status}`);
  }

  get code(): string | undefined {
    return this.problem.code;
  }

  /** The request was valid and may succeed if it is sent again. */
  get isPassing(): boolean {
    return [0, 408, 429, 502, 503, 504].includes(this.status);
  }

  /** Errors keyed by field name: `#/sys_attributes/partner_id` becomes `sys_attributes.partner_id`. */
  get byField(): ReadonlyMap<string, Sentences> {
    const found = new Map<string, Sentences>();
    for (const { pointer, parameter, detail } of this.problem.errors ?? []) {
      const name = pointer === undefined ? (parameter ?? '') : fieldAt(pointer);
      const text = [found.get(name)?.text, detail].filter(Boolean).join('\n');
      // Errors that the portal itself finds have no code and are in the language of the page.
      found.set(name, this.code === undefined ? { text } : { text, lang: 'en' });
    }
    return found;
  }
}

/** An error that the portal itself finds in fields, represented like an error from the service. */
export const refusedAt = (fields: string | readonly string[], detail: string): Refusal =>
  new Refusal(422, { errors: [fields].flat().map((parameter) => ({ parameter, detail })) });

/** JSON pointer (RFC 6901) as a URI fragment. */
const fieldAt = (pointer: string): string =>
  decodeURIComponent(pointer)
    .replace(/^#?\//, '')
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .join('.');

/** The record that a call returns, or `undefined` if the record does not exist. */
export const orNone = <T>(call: PromiseLike<T>): PromiseLike<T | undefined> =>
  call.then(undefined, (error: unknown) => {
    if (error instanceof ApiError && error.status === 404) return undefined;
    throw error;
  });

/** Converts an error from the client. Aborts, and errors that the client did not throw, are returned unchanged. */
export function toRefusal(error: unknown): unknown {
  if (error instanceof ApiError) return new Refusal(error.status, error.problem, error.retryAfter);
  // The person did not sign in again.
  if (error instanceof TokenError) return new Refusal(401);
  if (!(error instanceof FibreError) || error instanceof AbortedError) return error;
  if (error instanceof TooManyRowsError) return new Refusal(422, { code: 'too-many-rows', title: 'Too many rows', detail: error.message });
  // A file could only be read up to a fault; the client passes on the service's words.
  if (error.constructor === FibreError) return fileRefusal(error.message);
  return new Refusal(0, { detail: error.message });
}

/** A file that cannot be read to its end, in the words that the service uses. */
export const fileRefusal = (detail: string, hint?: string): Refusal =>
  new Refusal(422, { code: 'file-refused', title: 'The file is rejected', detail, ...(hint !== undefined && { hint }) });

/** A version of a record, with its entity tag. */
export interface Version<R> {
  readonly record: R;
  readonly etag: string;
}

export async function versionOf<R>(call: Call<R>): Promise<Version<R>> {
  const { data, response } = await call.withResponse();
  return { record: data, etag: response.headers.get('etag') ?? '*' };
}
