import { type Api, type CallOptions, type DownloadOptions } from '../api.js';
import { type Call } from '../call.js';
import { Changes, type FollowOptions } from '../changes.js';
import { type components, type operations, type paths } from '../generated/event-api.js';
import { type Listing } from '../listing.js';
import { type NewEventWebhook, Webhooks } from '../webhooks.js';
import { isRefusal, putAll, type PutOutcome } from './put-all.js';

type Schemas = components['schemas'];
export type RecordedEvent = Schemas['EventResponse'];
export type NewEvent = operations['recordEvent']['requestBody']['content']['application/json'];
export type EventFilters = Omit<NonNullable<operations['listEvents']['parameters']['query']>, '_page_cursor'>;

export type EventChange = Schemas['EventChangeResponse'];
export type EventChangesQuery = Omit<NonNullable<operations['listEventChanges']['parameters']['query']>, '_page_cursor'>;
export type EventExportQuery = NonNullable<operations['exportEvents']['parameters']['query']>;

/** What a request to record an event would do. */
export type DryRun = Schemas['DryRunResponse'];

export interface NamespaceOptions extends CallOptions {
  /** Each namespace has its own state, for development and tests. Default: the client's namespace. */
  namespace?: string;
}

const EVENTS = '/api/v2/sys/events';
/** The outcomes of dry runs, as {@link PutOutcome} names them. */
const FORESEEN = { created: 'recorded', overwritten: 'overwritten', repeated: 'unchanged' } as const;

/** The event API. */
export class Events {
  /** Webhooks for events in the production state. */
  readonly webhooks: Webhooks<NewEventWebhook>;

  constructor(
    private readonly api: Api<paths>,
    private readonly namespace?: string,
  ) {
    // The event API has the same operations under another path.
    this.webhooks = new Webhooks(api, '/api/v2/sys/webhooks' as '/v2/cov/webhooks');
  }

  /**
   * Records an event once, however many times it is sent: 201 means that it was recorded or overwritten, 200 that it already existed.
   *
   * @param event a string is sent unchanged, because `JSON.parse` would round long numbers
   */
  put(event: NewEvent | string, options: NamespaceOptions = {}): Call<RecordedEvent> {
    return this.#put<RecordedEvent>(event, options);
  }

  /** What {@link put} would do now; nothing is written. It is rejected as `put` would be. */
  check(event: NewEvent | string, options: NamespaceOptions = {}): Call<DryRun> {
    return this.#put<DryRun>(event, options, 'true');
  }

  /**
   * Records many events, up to 16 at a time, and those of an entity one after the other. Outcomes have the order of the events. After a
   * refused event, the later ones of its entity are skipped. It is safe to send all events again. A dry run does not see earlier events.
   */
  putAll(
    events: AsyncIterable<NewEvent | string> | Iterable<NewEvent | string>,
    { dryRun = false, signal, ...options }: NamespaceOptions & { dryRun?: boolean } = {},
  ): AsyncGenerator<PutOutcome, void, undefined> {
    const put = (event: NewEvent | string, how: NamespaceOptions) =>
      dryRun ? this.check(event, how).then(({ outcome }) => ({ outcome: FORESEEN[outcome] })) : this.#record(event, how);
    const tried = (event: NewEvent | string, until: AbortSignal) =>
      put(event, { ...options, signal: until }).catch((error: unknown): PutOutcome => {
        if (!isRefusal(error)) throw error;
        return { outcome: 'refused', error };
      });
    return putAll(events, tried, signal);
  }

  read(event_id: string, options: NamespaceOptions = {}): Call<RecordedEvent> {
    const params = { path: { event_id }, header: this.#header(options) };
    return this.api.call(this.api.client.GET(`${EVENTS}/{event_id}`, { params, ...this.api.with(options) }));
  }

  list(query: EventFilters = {}, options: NamespaceOptions = {}): Listing<RecordedEvent> {
    const params = { query, header: this.#header(options) };
    return this.api.list(options, (how) => this.api.client.GET(EVENTS, { params, ...how }));
  }

  /** Lists, for each entity, the most recently created event that matches. */
  latest(query: EventFilters = {}, options: NamespaceOptions = {}): Listing<RecordedEvent> {
    const params = { query, header: this.#header(options) };
    return this.api.list(options, (how) => this.api.client.GET(`${EVENTS}/latest`, { params, ...how }));
  }

  /** Events as they are recorded or overwritten, for clients that keep a copy. */
  changes(query: EventChangesQuery = {}, options: FollowOptions & NamespaceOptions = {}): Changes<EventChange> {
    const fetchPage = (_page_cursor?: string) => {
      const params = { query: { ...query, _page_cursor }, header: this.#header(options) };
      return this.api.client.GET(`${EVENTS}/changes`, { params, ...this.api.with(options) });
    };
    return new Changes(fetchPage, options);
  }

  /** All events that match the filters, as a file. Read the stream to the end to detect a failure. */
  export(query: EventExportQuery = {}, options: DownloadOptions & NamespaceOptions = {}): Call<ReadableStream<Uint8Array>> {
    const params = { query, header: this.#header(options) };
    return this.api.download(this.api.client.GET(`${EVENTS}/export`, { params, ...this.api.streamed(options) }), options);
  }

  async #record(event: NewEvent | string, options: NamespaceOptions): Promise<PutOutcome> {
    const { data, response } = await this.put(event, options).withResponse();
    if (response.status === 200) return { outcome: 'unchanged', event: data };
    return { outcome: data.created_at === data.modified_at ? 'recorded' : 'overwritten', event: data };
  }

  #put<T extends RecordedEvent | DryRun>(event: NewEvent | string, options: NamespaceOptions, dry_run?: 'true'): Call<T> {
    const params = { query: { dry_run }, header: this.#header(options) };
    const body = event as NewEvent;
    const bodySerializer = () => (typeof event === 'string' ? event : JSON.stringify(event));
    const answer = this.api.client.PUT(EVENTS, { params, body, bodySerializer, ...this.api.with(options, { repeatable: true }) });
    return this.api.call(answer as Promise<{ data?: T; error?: unknown; response: Response }>);
  }

  #header({ namespace = this.namespace }: NamespaceOptions): { namespace?: string } {
    return { namespace };
  }
}
