import { ApiError } from '../errors.js';
import { type components } from '../generated/event-api.js';

/** What became of an event; an event of an entity with a refused one is skipped. A dry run has no `event`. */
export type PutOutcome =
  | { outcome: 'recorded' | 'overwritten' | 'unchanged'; event?: components['schemas']['EventResponse'] }
  | { outcome: 'refused'; error: ApiError }
  | { outcome: 'skipped' };

/** Requests at a time. */
const LANES = 16;
/** Events that are read ahead of the first one without an outcome: enough to keep all lanes busy if a file is sorted by entity. */
const AHEAD = 512;

/** Sends one event after the other. */
interface Lane {
  last: Promise<unknown>;
  waiting: number;
}

/**
 * Sends many events at the same time, and those of an entity one after the other. Outcomes have the order of the events.
 *
 * @throws what reading an event or `put` throws, once the outcomes of all earlier events have been returned
 */
export async function* putAll<Event extends object | string>(
  events: AsyncIterable<Event> | Iterable<Event>,
  put: (event: Event, signal: AbortSignal) => Promise<PutOutcome>,
  signal?: AbortSignal,
): AsyncGenerator<PutOutcome, void, undefined> {
  const stop = new AbortController();
  const either = AbortSignal.any([stop.signal, ...(signal ? [signal] : [])]);
  const lanes: Lane[] = Array.from({ length: LANES }, () => ({ last: Promise.resolve(), waiting: 0 }));
  /** The lanes of the entities whose events are under way. */
  const taken = new Map<string, { lane: Lane; events: number }>();
  const refused = new Set<string>();

  const send = (event: Event): Promise<PutOutcome> => {
    const entity = entityOf(event);
    const place = taken.get(entity) ?? { lane: lanes.reduce((least, lane) => (lane.waiting < least.waiting ? lane : least)), events: 0 };
    const { lane } = place;
    taken.set(entity, place);
    place.events++;
    lane.waiting++;
    const outcome = lane.last.then(async (): Promise<PutOutcome> => {
      either.throwIfAborted();
      if (refused.has(entity)) return { outcome: 'skipped' };
      // A signal of its own: a request's listener stays on its signal until garbage collection, and Node.js would warn of thousands on one.
      const result = await put(event, AbortSignal.any([either]));
      if (result.outcome === 'refused' && entity !== '') refused.add(entity);
      return result;
    });
    lane.last = outcome
      .catch(() => undefined)
      .finally(() => {
        lane.waiting--;
        if (--place.events === 0) taken.delete(entity);
      });
    return outcome;
  };

  const input = (async function* () {
    yield* events;
  })();
  let failure: { error: unknown } | undefined;
  const read = (): Promise<IteratorResult<Event, void>> =>
    input.next().catch((error: unknown) => {
      failure = { error };
      return { done: true, value: undefined };
    });
  const outcomes: Promise<PutOutcome>[] = [];
  try {
    for (let next: Promise<IteratorResult<Event, void>> | undefined = read(); next || outcomes.length > 0;) {
      const [first] = outcomes;
      const waits: Promise<boolean>[] = first ? [first.then(() => true)] : [];
      if (next && outcomes.length < AHEAD) waits.unshift(next.then(() => false));
      if (await Promise.race(waits)) {
        yield await outcomes.shift()!;
        continue;
      }
      const event: IteratorResult<Event, void> = await next!;
      next = event.done ? undefined : read();
      if (!event.done) outcomes.push(send(event.value));
    }
    if (failure) throw failure.error;
  } finally {
    stop.abort();
    // Not awaited, because the source may be waiting for more events.
    void input.return(undefined).catch(() => undefined);
    await Promise.allSettled(outcomes);
  }
}

/** The entity of an event, if it has one; otherwise the service rejects the event. */
function entityOf(event: object | string): string {
  try {
    const { entity_id } = (typeof event === 'string' ? JSON.parse(event) : event) as { entity_id?: unknown };
    return typeof entity_id === 'string' ? entity_id.toLowerCase() : '';
  } catch {
    return '';
  }
}

/** Whether the service refused the event itself, not the caller or the moment. */
export const isRefusal = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.status < 500 && ![401, 403, 408, 429].includes(error.status);
