import { type Api } from '../api.js';
import { type RecordedEvent } from './event.js';
import { type Times } from './times.js';

/** What the steps of the event tour share. */
export interface Visit {
  /** A network operator, who records events. */
  ano: Api;
  /** Another one. */
  other: Api;
  /** Made for this visit, so that it meets no events of another: events are never deleted. */
  entityId: string;
  /** Made for this visit too. */
  namespace: string;
  times: Times;
  /** The events of the entity, in the order of their creation. */
  recorded: RecordedEvent[];
}

/** The event that was recorded for this time. */
export function recordedAt({ recorded, times }: Visit, name: keyof Times): RecordedEvent {
  const event = recorded.find(({ event_at }) => Date.parse(event_at) === times[name].epochMilliseconds);
  if (!event) throw new Error(`no event was recorded at the time of ${name}`);
  return event;
}
