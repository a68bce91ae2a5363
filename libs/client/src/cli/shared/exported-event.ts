import { Temporal } from 'temporal-polyfill';

/** Members that the service gives to an event, and that a request to record it must not have. */
const GIVEN = ['event_id', 'tenant', 'created_at', 'created_by', 'modified_at', 'modified_by', 'erased_at'];

/**
 * Makes what `fibre events export` wrote into a request that records the event again: without the members that the service gives, and with
 * the offset that `event_timezone` has at `event_at`, which the service returns in UTC. Returns anything else as it is.
 */
export function asRequest(event: unknown): unknown {
  if (typeof event !== 'object' || event === null || !('event_id' in event)) return event;
  const kept = Object.entries(event).filter(([name]) => !GIVEN.includes(name));
  return Object.fromEntries(kept.map(([name, value]) => [name, name === 'event_at' ? localTime(event as Record<string, unknown>) : value]));
}

function localTime({ event_at, event_timezone }: Record<string, unknown>): unknown {
  try {
    const local = Temporal.Instant.from(event_at as string).toZonedDateTimeISO(event_timezone as string);
    return local.toString({ timeZoneName: 'never' });
  } catch {
    // A time or a zone that this Node.js does not know; the service says what is wrong.
    return event_at;
  }
}
