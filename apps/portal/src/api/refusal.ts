/** Body of a refusal of the services (RFC 9457). */
interface Problem {
  readonly title?: string;
  readonly detail?: string;
  readonly code?: string;
  readonly hint?: string;
  readonly request_id?: string;
  readonly errors?: readonly { readonly pointer?: string; readonly parameter?: string; readonly detail: string }[];
}

/** Why a request did not do what it should: the one error that pages see, whatever went wrong. */
export class Refusal extends Error {
  override readonly name = 'Refusal';

  constructor(
    /** 0 when there was no answer: no network, or a connection that broke. */
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
  get byField(): ReadonlyMap<string, string> {
    const found = new Map<string, string>();
    for (const { pointer, parameter, detail } of this.problem.errors ?? []) {
      const name = pointer === undefined ? (parameter ?? '') : fieldAt(pointer);
      found.set(name, [found.get(name), detail].filter(Boolean).join(' '));
    }
    return found;
  }
}

/** JSON pointer (RFC 6901) as a URI fragment. */
const fieldAt = (pointer: string): string =>
  decodeURIComponent(pointer)
    .replace(/^#?\//, '')
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .join('.');

/** A refusal from an answer and its parsed body, also one that no service of ours made: a proxy answers with HTML. */
export function toRefusal(response: Response, body: unknown): Refusal {
  const isProblem = typeof body === 'object' && body !== null;
  return new Refusal(response.status, isProblem ? body : {}, secondsOf(response.headers.get('retry-after')));
}

/** `Retry-After` as seconds or as a date. */
function secondsOf(value: string | null): number | undefined {
  if (value === null) return undefined;
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1_000;
  return Number.isFinite(seconds) ? Math.max(0, Math.ceil(seconds)) : undefined;
}
