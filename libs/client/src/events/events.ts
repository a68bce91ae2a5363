import { type Api } from '../api.js';
import { type DownloadOptions, type NamespaceOptions } from '../options.js';
import { type Call, type Fetched } from '../call.js';
import { type Changes, type FollowOptions } from '../changes.js';
import { SENT_BY_TRANSPORT } from '../files/upload.js';
import { type components, type operations, type paths } from '../generated/event-api.js';
import { type Listing } from '../listing.js';
import { type NewEventWebhook, type Webhooks } from '../webhooks.js';
import { isRefusal, putAll, type PutOutcome } from './put-all.js';

type Schemas = components['schemas'];
export type RecordedEvent = Schemas['EventResponse'];
/** An event in a list; `with_subscription` also shows whose line it was. */
export type ListedEvent = Schemas['ListedEventResponse'];
export type NewEvent = operations['recordEvent']['requestBody']['content']['application/json'];
/** An event that was refused, and why; kept for seven days. */
export type RefusedEvent = Schemas['RefusedEventResponse'];
export type RefusedEventFilters = Omit<NonNullable<operations['listRefusedEvents']['parameters']['query']>, '_page_cursor'>;
export type EventFilters = Omit<NonNullable<operations['listEvents']['parameters']['query']>, '_page_cursor'>;

export type EventChange = Schemas['EventChangeResponse'];
export type EventChangesQuery = Omit<NonNullable<operations['listEventChanges']['parameters']['query']>, '_page_cursor'>;
/** The filters of {@link Events.latest}. */
export type LatestEventFilters = Omit<NonNullable<operations['listLatestEvents']['parameters']['query']>, '_page_cursor'>;
export type EventExportQuery = NonNullable<operations['exportEvents']['parameters']['query']>;

/** What a request to record an event would do. */
export type DryRun = Required<Pick<Schemas['RecordedEventResponse'], 'outcome'>>;

const EVENTS = '/api/v2/sys/events';
/** The outcomes of dry runs, as {@link PutOutcome} names them. */
const FORESEEN = { created: 'recorded', overwritten: 'overwritten', repeated: 'unchanged' } as const;

/** The event API. */
export class Events {
  constructor(
    private readonly api: Api<paths>,
    /** Webhooks for events in the production state. */
    readonly webhooks: Webhooks<NewEventWebhook>,
  ) {}

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
    return this.api.call(this.api.client.GET(`${EVENTS}/{event_id}`, { params: { path: { event_id } }, ...this.api.with(options) }));
  }

  list(query: EventFilters = {}, options: NamespaceOptions = {}): Listing<ListedEvent> {
    return this.api.list(options, (how) => this.api.client.GET(EVENTS, { params: { query }, ...how }));
  }

  /** Lists, for each entity, the most recently created event that matches. */
  latest(query: LatestEventFilters = {}, options: NamespaceOptions = {}): Listing<RecordedEvent> {
    return this.api.list(options, (how) => this.api.client.GET(`${EVENTS}/latest`, { params: { query }, ...how }));
  }

  /** Lists what was refused in the last seven days, and why: the last 1,000 events of the operator. */
  refused(query: RefusedEventFilters = {}, options: NamespaceOptions = {}): Listing<RefusedEvent> {
    return this.api.list(options, (how) => this.api.client.GET(`${EVENTS}/refused`, { params: { query }, ...how }));
  }

  /** Events as they are recorded or overwritten, for clients that keep a copy. */
  changes(query: EventChangesQuery = {}, options: FollowOptions & NamespaceOptions = {}): Changes<EventChange> {
    return this.api.changes(options, (_page_cursor, how) =>
      this.api.client.GET(`${EVENTS}/changes`, { params: { query: { ...query, _page_cursor } }, ...how }),
    );
  }

  /** All events that match the filters, as a file. Read the stream to the end to detect a failure. */
  export(query: EventExportQuery = {}, options: DownloadOptions & NamespaceOptions = {}): Call<ReadableStream<Uint8Array>> {
    return this.api.download(options, (how) => this.api.client.GET(`${EVENTS}/export`, { params: { query }, ...how }));
  }

  async #record(event: NewEvent | string, options: NamespaceOptions): Promise<PutOutcome> {
    const { data, response } = await this.put(event, options).withResponse();
    if (response.status === 200) return { outcome: 'unchanged', event: data };
    return { outcome: data.created_at === data.modified_at ? 'recorded' : 'overwritten', event: data };
  }

  #put<T extends RecordedEvent | DryRun>(event: NewEvent | string, options: NamespaceOptions, dry_run?: 'true'): Call<T> {
    const text = typeof event === 'string' ? event : JSON.stringify(event);
    const headers = { 'content-type': 'application/json', ...options.headers };
    const how = this.api.with({ ...options, headers }, { repeatable: true, body: () => text });
    const answer = this.api.client.PUT(EVENTS, { params: { query: { dry_run } }, body: SENT_BY_TRANSPORT, ...how });
    return this.api.call(answer as Fetched<T>);
  }
}
