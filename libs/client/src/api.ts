import createClient, { type Client } from 'openapi-fetch';
import { Call, type Fetched, settled } from './call.js';
import { Changes, type FollowOptions } from './changes.js';
import { FibreError } from './errors.js';
import { download } from './files/download.js';
import { Listing } from './listing.js';
import { type DownloadOptions, type HeaderOptions } from './options.js';
import { type Sending, type Transport } from './transport.js';

type How = ReturnType<Api<object>['with']>;

/** Client for one of the two services: openapi-fetch with the types of that service, sending through our transport. */
export class Api<Paths extends object> {
  readonly #client: Client<Paths>;
  private readonly origin: string;

  /** @param baseUrl without it, every request fails */
  constructor(
    private readonly baseUrl: string | undefined,
    readonly transport: Transport,
    private readonly namespace?: string,
  ) {
    this.#client = createClient<Paths>({ baseUrl, headers: { accept: 'application/json' } });
    // In a browser, '' means the address of the page.
    this.origin = baseUrl ? originOf(baseUrl) : '';
  }

  get client(): Client<Paths> {
    if (this.baseUrl === undefined)
      throw new FibreError('The client was created without the address of this API: coverageUrl or eventsUrl');
    return this.#client;
  }

  /** Options for how a request is sent. */
  with({ signal, timeoutMs, namespace = this.namespace, ifMatch, idempotencyKey, ...options }: HeaderOptions, how: Sending = {}) {
    const headers = { namespace, 'if-match': ifMatch, 'idempotency-key': idempotencyKey, ...options.headers };
    return { signal, headers, fetch: (request: Request) => this.transport.send(request, { timeoutMs, ...how }) };
  }

  call<T>(answer: Fetched<T>): Call<T> {
    return new Call(settled(answer));
  }

  /** @param fetchFile sends the request for the file */
  download(
    { onProgress, ...options }: DownloadOptions & HeaderOptions,
    fetchFile: (how: How & { parseAs: 'stream' }) => Fetched<ReadableStream | null>,
    how: Sending = {},
  ): Call<ReadableStream<Uint8Array>> {
    const headers = { accept: '*/*', ...options.headers };
    const answer = settled(fetchFile({ parseAs: 'stream', ...this.with({ ...options, headers }, { stream: true, ...how }) }));
    return new Call(answer.then((all) => ({ ...all, data: download(all.data, all.response, options.signal, onProgress) })));
  }

  /** @param fetchPage sends the request for the first page; later pages follow the `next` links */
  list<T>(options: HeaderOptions, fetchPage: (how: How) => Fetched<T[]>): Listing<T> {
    return new Listing((link) => {
      const how = this.with(options);
      return fetchPage(link === undefined ? how : { ...how, fetch: (request) => how.fetch(new Request(this.here(link), request)) });
    });
  }

  /** @param fetchPage sends the request for the page with this cursor, or for the first page */
  changes<T>(options: FollowOptions & HeaderOptions, fetchPage: (cursor: string | undefined, how: How) => Fetched<unknown[]>): Changes<T> {
    return new Changes((cursor) => fetchPage(cursor, this.with(options)) as Fetched<T[]>, options);
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
