import createClient, { type Client } from 'openapi-fetch';
import { Call, settled } from './call.js';
import { download } from './download.js';
import { FibreError } from './errors.js';
import { Listing } from './listing.js';
import { type Sending, type Transport } from './transport.js';
import { type OnProgress } from './upload.js';

/** What every call takes besides its own arguments. */
export interface CallOptions {
  signal?: AbortSignal;
  /** How long one attempt may take. */
  timeoutMs?: number;
  headers?: Record<string, string>;
}

export interface DownloadOptions extends CallOptions {
  onProgress?: OnProgress;
}

type Fetched<T> = Promise<{ data?: T; error?: unknown; response: Response }>;

/** One of the two services: openapi-fetch with its types, and the transport below it. */
export class Api<Paths extends object> {
  readonly client: Client<Paths>;
  private readonly origin: string;

  constructor(
    baseUrl: string,
    readonly transport: Transport,
  ) {
    this.client = createClient<Paths>({ baseUrl, headers: { accept: 'application/json' } });
    // In a browser the address may be that of the page: ''.
    this.origin = baseUrl === '' ? '' : originOf(baseUrl);
  }

  /** The members of a request that say how it is sent. */
  with({ signal, headers, timeoutMs }: CallOptions, how: Sending = {}) {
    return { signal, headers, fetch: (request: Request) => this.transport.send(request, { timeoutMs, ...how }) };
  }

  call<T>(answer: Fetched<T>): Call<T> {
    return new Call(settled(answer));
  }

  /** The members of a request whose answer is a file. */
  streamed({ headers, ...options }: CallOptions) {
    return { parseAs: 'stream' as const, ...this.with({ ...options, headers: { accept: '*/*', ...headers } }, { stream: true }) };
  }

  download(
    answer: Promise<{ data?: ReadableStream | null; error?: unknown; response: Response }>,
    { signal, onProgress }: DownloadOptions,
  ): Call<ReadableStream<Uint8Array>> {
    return new Call(settled(answer).then(({ data, response }) => ({ data: download(data, signal, onProgress), response })));
  }

  /** @param fetchPage sends the request of the first page; its link replaces the address for the others */
  list<T>(options: CallOptions, fetchPage: (how: ReturnType<Api<Paths>['with']>) => Fetched<T[]>): Listing<T> {
    return new Listing((link) => {
      const how = this.with(options);
      return fetchPage(link === undefined ? how : { ...how, fetch: (request) => how.fetch(new Request(this.here(link), request)) });
    });
  }

  /** The token goes nowhere but to the given host, whatever host a proxy lets the service put into its links. */
  private here(link: string): string {
    const { pathname, search } = new URL(link);
    return this.origin + pathname + search;
  }
}

function originOf(baseUrl: string): string {
  if (!/^https?:/.test(baseUrl) || !URL.canParse(baseUrl)) throw new FibreError(`${baseUrl} is no address of a service`);
  return new URL(baseUrl).origin;
}
