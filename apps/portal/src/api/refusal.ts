import { AbortedError, ApiError, FibreError, type Problem, TokenError } from '@fibre/client';

/** A sentence for people; `lang` says that it is not in the language of the page. */
export interface Words {
  readonly text: string;
  readonly lang?: 'en';
}

/** Why a request did not do what it should: the one error that pages see, whatever went wrong. */
export class Refusal extends Error {
  override readonly name = 'Refusal';

  constructor(
    /** 0 when the service did not answer: no network, a connection that broke, or a page of somebody in between. */
    readonly status: number,
    readonly problem: Problem = {},
    /** Seconds after which the service would like to be asked again. */
    readonly retryAfter?: number,
  ) {
    super(problem.detail ?? problem.title ?? `HTTP ${status}`);
  }

  get code(): string | undefined {
    return this.problem.code;
  }

  /** Nothing was wrong with the request; the same again may succeed. */
  get isPassing(): boolean {
    return [0, 408, 429, 502, 503, 504].includes(this.status);
  }

  /** What is wrong by the name of the field: `#/sys_attributes/partner_id` is `sys_attributes.partner_id`. */
  get byField(): ReadonlyMap<string, Words> {
    const found = new Map<string, Words>();
    for (const { pointer, parameter, detail } of this.problem.errors ?? []) {
      const name = pointer === undefined ? (parameter ?? '') : fieldAt(pointer);
      const text = [found.get(name)?.text, detail].filter(Boolean).join(' ');
      // What the portal finds itself has no code, and is in its own language.
      found.set(name, this.code === undefined ? { text } : { text, lang: 'en' });
    }
    return found;
  }
}

/** What the portal itself finds wrong with a field, as if the service had refused it. */
export const refusedAt = (field: string, detail: string): Refusal => new Refusal(422, { errors: [{ parameter: field, detail }] });

/** JSON pointer (RFC 6901) as a URI fragment. */
const fieldAt = (pointer: string): string =>
  decodeURIComponent(pointer)
    .replace(/^#?\//, '')
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .join('.');

/** The refusal that an error of the client is. An abort stays one, and so does what is no error of the client. */
export function toRefusal(error: unknown): unknown {
  if (error instanceof ApiError) return new Refusal(error.status, error.problem, error.retryAfter);
  // The person did not sign in again.
  if (error instanceof TokenError) return new Refusal(401);
  if (!(error instanceof FibreError) || error instanceof AbortedError) return error;
  return new Refusal(0, { detail: error.message });
}
