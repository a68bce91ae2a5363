import { AbortedError, ConnectionError, FibreError, retryAfterSeconds, TimeoutError, TokenError } from './errors.js';

export interface TransportOptions {
  /** Returns an access token; called before every attempt. Called once more if the service rejects the token (401). */
  token: (refused?: string) => string | Promise<string>;
  /** Sends one request; by default the platform's `fetch`. */
  fetch?: (request: Request) => Promise<Response>;
  /** How many times a safe request is retried. Default 4. */
  retries?: number;
  /**
   * Timeout for one attempt. Default 60,000; 90,000 for merges and bulk deletes. Imports have no timeout; for exports it only covers the
   * start of the response.
   */
  timeoutMs?: number;
  /** Longest `Retry-After` to wait for; if the service asks for more, the call fails. Default 60. */
  maxRetryAfterSeconds?: number;
}

/** How one request is sent. */
export interface Sending {
  /** Whether a retry is safe and gives the right result if the response to the first attempt was lost. */
  repeatable?: boolean;
  /** Opens the body again for each attempt; without it, the request's own body is sent as text. */
  body?: () => Body;
  /** The body can only be read once, so there is a single attempt. */
  once?: boolean;
  /** The caller reads the response as a stream. */
  stream?: boolean;
  timeoutMs?: number;
  /** Timeout if neither the call nor the client sets one. */
  defaultTimeoutMs?: number;
  fetch?: (request: Request) => Promise<Response>;
}

/** Body types that every platform supports. */
export type Body = string | Blob | ReadableStream<Uint8Array>;

const REPEATED_STATUSES = [429, 503];
const RETRIES = 4;
const LONGEST_RETRY_AFTER_SECONDS = 60;
const DEFAULT_TIMEOUT_MS = 60_000;
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 8_000;
/** Up to this share is added to a wait at random, so that clients don't all retry at the same time. */
const JITTER = 0.25;

/** The requests of each body: Node.js passes on the signal of a request only until the request is garbage. */
const REQUESTS = new WeakMap<ReadableStream, readonly Request[]>();

/** Sends requests with a token, and retries where that is safe. */
export class Transport {
  constructor(private readonly options: TransportOptions) {}

  /** Whether requests use the platform's `fetch`. */
  get isPlain(): boolean {
    return this.options.fetch === undefined;
  }

  /** @throws FibreError if there is no complete response; an error response counts as complete */
  async send(request: Request, sending: Sending = {}): Promise<Response> {
    // Each attempt needs the body again, and copying a request costs more than sending it.
    const text = sending.body ? '' : await request.text();
    const how = { body: text === '' ? undefined : () => text, ...sending };
    for (let repeated = 0; ; repeated++) {
      const mayRepeat = !how.once && repeated < (this.options.retries ?? RETRIES);
      const backoff = withJitter(Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** repeated));
      const outcome = await this.attempt(request, how, mayRepeat ? backoff : undefined);
      if (typeof outcome !== 'number') return outcome;
      await pause(outcome, request.signal);
    }
  }

  /**
   * @param backoff milliseconds to wait before the next attempt; `undefined` if there is none
   * @returns the response, or the milliseconds to wait before the next attempt
   */
  private async attempt(request: Request, how: Sending, backoff?: number): Promise<Response | number> {
    const token = await this.token(request.signal).catch((error: FibreError) => {
      // Nothing has been sent yet.
      if (error instanceof ConnectionError && backoff !== undefined) return backoff;
      throw error;
    });
    if (typeof token === 'number') return token;

    const outcome = await this.exchange(request, how, token, backoff);
    if (typeof outcome === 'number' || outcome.status !== 401 || how.once) return outcome;
    // The token was revoked, or was signed with an old key. A request rejected for that reason was not handled.
    const another = await this.token(request.signal, token);
    return another === token ? outcome : this.exchange(request, how, another, backoff);
  }

  private async exchange(request: Request, how: Sending, token: string, backoff?: number): Promise<Response | number> {
    const headers = new Headers(request.headers);
    headers.set('authorization', `Bearer ${token}`);
    const { timeoutMs = this.options.timeoutMs ?? how.defaultTimeoutMs ?? DEFAULT_TIMEOUT_MS, repeatable = request.method === 'GET' } = how;
    const timeout = new AbortController();
    const timer = Number.isFinite(timeoutMs) ? setTimeout(() => timeout.abort(), timeoutMs) : undefined;
    const signal = AbortSignal.any([request.signal, timeout.signal]);
    const send = how.fetch ?? this.options.fetch ?? ((attempt) => fetch(attempt));
    // Redirects are not followed: they would turn a POST into a GET, and the API never redirects.
    const init = { headers, signal, redirect: 'manual' } as const;
    const attempt = new Request(request, { ...init, ...bodyOf(how) });
    try {
      const response = await send(attempt);
      if (response.body) REQUESTS.set(response.body, [request, attempt]);
      if (how.stream && response.ok) return response;
      const answer = await whole(response);
      const wait = backoff !== undefined && REPEATED_STATUSES.includes(answer.status) ? this.waitFor(answer, backoff) : undefined;
      // Only `unavailable` guarantees that nothing was done.
      return wait === undefined || (!repeatable && (await isOutcomeUnknown(answer))) ? answer : wait;
    } catch (cause) {
      if (request.signal.aborted) throw aborted(request.signal);
      if (repeatable && backoff !== undefined) return backoff;
      if (timeout.signal.aborted) throw new TimeoutError(`${where(request)} did not respond within ${timeoutMs / 1_000} s`);
      throw new ConnectionError(`${where(request)} got no complete response: ${reason(cause)}`, { cause });
    } finally {
      clearTimeout(timer);
    }
  }

  private async token(signal: AbortSignal, refused?: string): Promise<string> {
    // The caller's function may also throw before it returns a promise.
    const ask = async (): Promise<string> => this.options.token(refused);
    return unlessAborted(signal, ask).catch((cause: unknown) => {
      throw cause instanceof FibreError ? cause : new TokenError(`No access token: ${reason(cause)}`, { cause });
    });
  }

  /** Milliseconds to wait, no fewer than the service asks for; `undefined` if that is too long. */
  private waitFor({ headers }: Response, backoff: number): number | undefined {
    const seconds = retryAfterSeconds(headers);
    if (seconds === undefined) return backoff;
    return seconds > (this.options.maxRetryAfterSeconds ?? LONGEST_RETRY_AFTER_SECONDS)
      ? undefined
      : withJitter(Math.max(seconds * 1_000, FIRST_WAIT_MS));
  }
}

/** Only lengthens a wait, which may be the minimum that the service asks for. */
const withJitter = (ms: number): number => ms * (1 + JITTER * Math.random());

/** Whether the response says that the service itself does not know whether a write happened. */
const isOutcomeUnknown = async (response: Response): Promise<boolean> => /"code": *"outcome-unknown"/.test(await response.clone().text());

/** Reads the body here, so that an incomplete response counts as a lost connection. */
async function whole(response: Response): Promise<Response> {
  if (response.type === 'opaqueredirect') return response;
  const { status, statusText, headers } = response;
  const body = await response.arrayBuffer();
  // A response with status 204 must not have a body, not even an empty one.
  return new Response(body.byteLength > 0 ? body : null, { status, statusText, headers });
}

function bodyOf(how: Sending): RequestInit {
  const body = how.body?.();
  // Streaming needs `duplex: 'half'`, which not all type definitions include.
  return { body, ...(body instanceof ReadableStream && { duplex: 'half' }) };
}

export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const wait = (): Promise<void> => new Promise((resolve) => (timer = setTimeout(resolve, ms)));
  await unlessAborted(signal ?? new AbortController().signal, wait).finally(() => clearTimeout(timer));
}

/** Waits for a promise, or until the signal aborts. */
async function unlessAborted<T>(signal: AbortSignal, start: () => Promise<T>): Promise<T> {
  if (signal.aborted) throw aborted(signal);
  let onAbort!: () => void;
  const interruption = new Promise<never>((_, reject) => (onAbort = () => reject(aborted(signal))));
  signal.addEventListener('abort', onAbort);
  return Promise.race([start(), interruption]).finally(() => signal.removeEventListener('abort', onAbort));
}

/** The signal's reason says why it was aborted. */
export function aborted(signal: AbortSignal): AbortedError {
  return new AbortedError(`Aborted: ${reason(signal.reason)}`, { cause: signal.reason });
}

const where = ({ method, url }: Request): string => `${method} ${new URL(url).origin}${new URL(url).pathname}`;

/** `fetch` throws a generic error; its causes explain it. */
export function reason(error: unknown): string {
  const { message, cause, code } = error as { message?: string; cause?: unknown; code?: string };
  const own = message || code || String(error);
  return cause === undefined || cause === null ? own : `${own}: ${reason(cause)}`;
}
