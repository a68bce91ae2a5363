import createClient, { type Client } from 'openapi-fetch';
import { Call, settled } from './call.js';
import { download } from './files/download.js';
import { FibreError } from './errors.js';
import { Listing } from './listing.js';
import { type Sending, type Transport } from './transport.js';
import { type OnProgress } from './files/upload.js';

/** Options that every call accepts. */
export interface CallOptions {
  signal?: AbortSignal;
  /** Timeout for one attempt in milliseconds. */
  timeoutMs?: number;
  headers?: Record<string, string>;
}

export interface DownloadOptions extends CallOptions {
  onProgress?: OnProgress;
}

type Fetched<T> = Promise<{ data?: T; error?: unknown; response: Response }>;

/** Client for one of the two services: openapi-fetch with the types of that service, sending through our transport. */
export class Api<Paths extends object> {
  readonly client: Client<Paths>;
  private readonly origin: string;

  constructor(
    baseUrl: string,
    readonly transport: Transport,
  ) {
    this.client = createClient<Paths>({ baseUrl, headers: { accept: 'application/json' } });
    // In a browser, '' means the address of the page.
    this.origin = baseUrl === '' ? '' : originOf(baseUrl);
  }

  /** Options for how a request is sent. */
  with({ signal, headers, timeoutMs }: CallOptions, how: Sending = {}) {
    return { signal, headers, fetch: (request: Request) => this.transport.send(request, { timeoutMs, ...how }) };
  }

  call<T>(answer: Fetched<T>): Call<T> {
    return new Call(settled(answer));
  }

  /** Options for a request for a file. */
  streamed({ headers, ...options }: CallOptions, how: Sending = {}) {
    return { parseAs: 'stream' as const, ...this.with({ ...options, headers: { accept: '*/*', ...headers } }, { stream: true, ...how }) };
  }

  download(
    answer: Promise<{ data?: ReadableStream | null; error?: unknown; response: Response }>,
    { signal, onProgress }: DownloadOptions,
  ): Call<ReadableStream<Uint8Array>> {
    return new Call(settled(answer).then(({ data, response }) => ({ data: download(data, signal, onProgress), response })));
  }

  /** @param fetchPage sends the request for the first page; later pages follow the `next` links */
  list<T>(options: CallOptions, fetchPage: (how: ReturnType<Api<Paths>['with']>) => Fetched<T[]>): Listing<T> {
    return new Listing((link) => {
      const how = this.with(options);
      return fetchPage(link === undefined ? how : { ...how, fetch: (request) => how.fetch(new Request(this.here(link), request)) });
    });
  }

  /** Makes sure that the token is only sent to the configured host, whatever host a proxy puts into links. */
  private here(link: string): string {
    const { pathname, search } = new URL(link);
    return this.origin + pathname + search;
  }
}

function originOf(baseUrl: string): string {
  if (!/^https?:/.test(baseUrl) || !URL.canParse(baseUrl)) throw new FibreError(`${baseUrl} is not a valid service address`);
  return new URL(baseUrl).origin;
}
