import { AbortedError, ConnectionError, FibreError, retryAfterSeconds, TimeoutError, TokenError } from './errors.js';

export interface TransportOptions {
  /**
   * Gives an access token; asked before every attempt. When the service refuses the token (401), it is asked for another one, which is
   * sent once.
   */
  token: (refused?: string) => string | Promise<string>;
  /** Sends one request; the `fetch` of the platform by default. */
  fetch?: (request: Request) => Promise<Response>;
  /** How often a request is repeated that may be. 4 by default. */
  retries?: number;
  /** How long one attempt may take. 60,000 by default, for merges and bulk deletes 90,000; imports have no limit and exports one for the begin of the answer. */
  timeoutMs?: number;
  /** A service that asks for a longer wait is not waited for: its refusal is the result. 60 by default. */
  maxRetryAfterSeconds?: number;
}

/** How one request is sent. */
export interface Sending {
  /** Whether a second one does no harm and tells no lie, when the answer to the first was lost. */
  repeatable?: boolean;
  /** Gives the body anew for each attempt, instead of the request's own. */
  body?: () => Body;
  /** The body can be read once: there is one attempt. */
  once?: boolean;
  /** The answer is read by the caller as it comes. */
  stream?: boolean;
  timeoutMs?: number;
  /** Where nobody says how long it may take. */
  defaultTimeoutMs?: number;
  fetch?: (request: Request) => Promise<Response>;
}

/** What every platform takes as a body. */
export type Body = string | Blob | ReadableStream<Uint8Array>;

const REPEATED_STATUSES = [429, 503];
const DEFAULT_TIMEOUT_MS = 60_000;
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 8_000;
/** The share of a wait that is left to chance, so that clients don't come back all at once. */
const JITTER = 0.25;
/** A Response with one of these must not have a body, not even an empty one. */
const WITHOUT_BODY = [204, 205, 304];

/** Sends requests with a token, again where that may help. */
export class Transport {
  private readonly retries: number;
  private readonly maxRetryAfterSeconds: number;

  constructor(private readonly options: TransportOptions) {
    ({ retries: this.retries = 4, maxRetryAfterSeconds: this.maxRetryAfterSeconds = 60 } = options);
  }

  /** Whether requests go by the `fetch` of the platform. */
  get isPlain(): boolean {
    return this.options.fetch === undefined;
  }

  /** @throws FibreError when there is no whole answer; a refusal is an answer */
  async send(request: Request, how: Sending = {}): Promise<Response> {
    for (let repeated = 0; ; repeated++) {
      const mayRepeat = !how.once && repeated < this.retries;
      const outcome = await this.attempt(request, how, mayRepeat ? repeated : undefined);
      if (typeof outcome !== 'number') return outcome;
      await this.pause(outcome, request.signal);
    }
  }

  /** @returns the answer, or how many milliseconds to wait before the next attempt; without `repeated` there is no next one */
  private async attempt(request: Request, how: Sending, repeated?: number): Promise<Response | number> {
    const backoff = repeated === undefined ? undefined : withJitter(Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** repeated));
    const token = await this.token(request.signal).catch((error: FibreError) => {
      // Nothing was sent yet.
      if (error instanceof ConnectionError && backoff !== undefined) return backoff;
      throw error;
    });
    if (typeof token === 'number') return token;

    const outcome = await this.exchange(request, how, token, backoff);
    if (typeof outcome === 'number' || outcome.status !== 401 || how.once) return outcome;
    // Withdrawn, or signed by a key of yesterday. What is refused so was not carried out.
    const another = await this.token(request.signal, token);
    return another === token ? outcome : this.exchange(request, how, another, backoff);
  }

  /** @param backoff how long to wait before the next attempt, if there is one */
  private async exchange(request: Request, how: Sending, token: string, backoff?: number): Promise<Response | number> {
    const headers = new Headers(request.headers);
    headers.set('authorization', `Bearer ${token}`);
    const { timeoutMs = this.options.timeoutMs ?? how.defaultTimeoutMs ?? DEFAULT_TIMEOUT_MS, repeatable = request.method === 'GET' } = how;
    const timeout = new AbortController();
    const timer = Number.isFinite(timeoutMs) ? setTimeout(() => timeout.abort(), timeoutMs) : undefined;
    const signal = AbortSignal.any([request.signal, timeout.signal]);
    const send = how.fetch ?? this.options.fetch ?? ((attempt) => fetch(attempt));
    // A redirection is not followed: it would turn a POST into a GET, and it is no part of the API.
    const init: RequestInit = { headers, signal, redirect: 'manual' };
    try {
      const response = await send(how.body ? withBody(request, how.body(), init) : new Request(request.clone(), init));
      if (how.stream && response.ok) return response;
      const answer = await whole(response);
      const wait = backoff !== undefined && REPEATED_STATUSES.includes(answer.status) ? this.waitFor(answer, backoff) : undefined;
      // Only `unavailable` says that nothing was done.
      return wait === undefined || (!repeatable && (await isOutcomeUnknown(answer))) ? answer : wait;
    } catch (cause) {
      if (request.signal.aborted) throw aborted(request.signal);
      if (repeatable && backoff !== undefined) return backoff;
      if (timeout.signal.aborted) throw new TimeoutError(`${where(request)} did not answer within ${timeoutMs / 1_000} s`);
      throw new ConnectionError(`${where(request)} gave no whole answer: ${reason(cause)}`, { cause });
    } finally {
      clearTimeout(timer);
    }
  }

  private async token(signal: AbortSignal, refused?: string): Promise<string> {
    // It may fail before it returns a promise, too.
    const ask = async (): Promise<string> => this.options.token(refused);
    return unlessAborted(signal, ask).catch((cause: unknown) => {
      throw cause instanceof FibreError ? cause : new TokenError(`No access token: ${reason(cause)}`, { cause });
    });
  }

  private async pause(ms: number, signal: AbortSignal): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    await unlessAborted(signal, () => new Promise((resolve) => (timer = setTimeout(resolve, ms)))).finally(() => clearTimeout(timer));
  }

  /** As long as the service asks for; undefined when that is too long. */
  private waitFor({ headers }: Response, backoff: number): number | undefined {
    const seconds = retryAfterSeconds(headers);
    if (seconds === undefined) return backoff;
    return seconds > this.maxRetryAfterSeconds ? undefined : withJitter(Math.max(seconds * 1_000, FIRST_WAIT_MS));
  }
}

/** Never shorter than what the service asked for. */
const withJitter = (ms: number): number => ms * (1 + JITTER * Math.random());

/** Whether the service itself cannot tell if a write was carried out. */
const isOutcomeUnknown = async (response: Response): Promise<boolean> =>
  (
    (await response
      .clone()
      .json()
      .catch(() => undefined)) as { code?: unknown } | undefined
  )?.code === 'outcome-unknown';

/** Reads the body here, so that an answer which breaks off counts as none. */
async function whole(response: Response): Promise<Response> {
  if (response.type === 'opaqueredirect') return response;
  const { status, statusText, headers } = response;
  const body = await response.arrayBuffer();
  return new Response(WITHOUT_BODY.includes(status) ? null : body, { status, statusText, headers });
}

function withBody({ url, method }: Request, body: Body, init: RequestInit): Request {
  // A stream is sent only to who knows that no answer is read before its end; not all types know the word.
  const duplex = body instanceof ReadableStream && { duplex: 'half' };
  return new Request(url, { ...init, method, body, ...duplex } as RequestInit);
}

/** Waits for something that the signal ends before its time. */
async function unlessAborted<T>(signal: AbortSignal, start: () => Promise<T>): Promise<T> {
  if (signal.aborted) throw aborted(signal);
  let onAbort!: () => void;
  const interruption = new Promise<never>((_, reject) => (onAbort = () => reject(aborted(signal))));
  signal.addEventListener('abort', onAbort);
  return Promise.race([start(), interruption]).finally(() => signal.removeEventListener('abort', onAbort));
}

/** The signal's reason says who aborted, in the caller's own words. */
export function aborted(signal: AbortSignal): AbortedError {
  return new AbortedError(`Aborted: ${reason(signal.reason)}`, { cause: signal.reason });
}

const where = ({ method, url }: Request): string => `${method} ${new URL(url).origin}${new URL(url).pathname}`;

/** `fetch` itself says little; why is in the causes. */
export function reason(error: unknown): string {
  const { message, cause, code } = error as { message?: string; cause?: unknown; code?: string };
  const own = message || code || String(error);
  return cause === undefined || cause === null ? own : `${own}: ${reason(cause)}`;
}
