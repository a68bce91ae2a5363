import { type Api, type CallOptions, type DownloadOptions } from '../api.js';
import { type Call } from '../call.js';
import { type components, type operations, type paths } from '../generated/event-api.js';
import { type Listing } from '../listing.js';

type Schemas = components['schemas'];
export type RecordedEvent = Schemas['EventResponse'];
export type NewEvent = operations['recordEvent']['requestBody']['content']['application/json'];
export type EventFilters = Omit<NonNullable<operations['listEvents']['parameters']['query']>, '_page_cursor'>;

export type EventExportQuery = NonNullable<operations['exportEvents']['parameters']['query']>;

export interface NamespaceOptions extends CallOptions {
  /** Everything is separate per namespace; for development and tests. The client's own by default. */
  namespace?: string;
}

const EVENTS = '/api/v2/sys/events';

/** The event API. */
export class Events {
  constructor(
    private readonly api: Api<paths>,
    private readonly namespace?: string,
  ) {}

  /**
   * Records an event once, however often it is sent: 201 says that it was recorded or overwritten, 200 that it was there already.
   *
   * @param event a string is sent as it is, for JSON that has to stay as it was written: `JSON.parse` rounds long numbers
   */
  put(event: NewEvent | string, options: NamespaceOptions = {}): Call<RecordedEvent> {
    const params = { header: this.header(options) };
    const body = event as NewEvent;
    const bodySerializer = () => (typeof event === 'string' ? event : JSON.stringify(event));
    return this.api.call(this.api.client.PUT(EVENTS, { params, body, bodySerializer, ...this.api.with(options, { repeatable: true }) }));
  }

  read(event_id: string, options: NamespaceOptions = {}): Call<RecordedEvent> {
    const params = { path: { event_id }, header: this.header(options) };
    return this.api.call(this.api.client.GET(`${EVENTS}/{event_id}`, { params, ...this.api.with(options) }));
  }

  list(query: EventFilters = {}, options: NamespaceOptions = {}): Listing<RecordedEvent> {
    const params = { query, header: this.header(options) };
    return this.api.list(options, (how) => this.api.client.GET(EVENTS, { params, ...how }));
  }

  /** The event of each entity that was created last, of those that the filters leave. */
  latest(query: EventFilters = {}, options: NamespaceOptions = {}): Listing<RecordedEvent> {
    const params = { query, header: this.header(options) };
    return this.api.list(options, (how) => this.api.client.GET(`${EVENTS}/latest`, { params, ...how }));
  }

  /** All events that the filters leave, as a file: read the stream to its end, where a failure shows. */
  export(query: EventExportQuery = {}, options: DownloadOptions & NamespaceOptions = {}): Call<ReadableStream<Uint8Array>> {
    const params = { query, header: this.header(options) };
    return this.api.download(this.api.client.GET(`${EVENTS}/export`, { params, ...this.api.streamed(options) }), options);
  }

  private header({ namespace = this.namespace }: NamespaceOptions): { namespace?: string } {
    return { namespace };
  }
}
