import { type Answer, type Api, type CallOptions } from '../api.js';
import { check } from '../check.js';
import { say, showRequest } from '../show.js';
import { type EventRequest, EVENTS, type RecordedEvent } from './event.js';
import { inUtc, TIMEZONE } from './times.js';
import { type Visit } from './visit.js';

/** Sends the event and shows it, whatever comes of it. */
export async function putEvent(api: Api, body: EventRequest, headers?: CallOptions['headers']): Promise<Answer<RecordedEvent>> {
  const answer = await api.call<RecordedEvent>('PUT', EVENTS, { body, headers });
  showRequest(answer);
  const { entity_id: _, event_type, event_at, ...attributes } = body;
  say(`${event_type} at ${event_at}${Object.keys(attributes).length > 0 ? ` ${JSON.stringify(attributes)}` : ''}`);
  return answer;
}

/** Records an event that the entity does not have yet. */
export async function recordEvent({ ano, recorded }: Visit, request: EventRequest): Promise<RecordedEvent> {
  const { status, headers, body: event } = await putEvent(ano, request);
  check('status of the event', status, 201);
  const { event_id } = event;
  checkEvent(event, request);
  check('Location', headers.get('location'), `${EVENTS}${event_id}/`);
  check('modified_at of a new event', event.modified_at, event.created_at);
  check(
    'whether the event_id is new',
    recorded.some((other) => other.event_id === event_id),
    false,
  );
  recorded.push(event);
  say(`event_id ${event_id}`);
  return event;
}

/** Checks that the event is what was asked for. */
export function checkEvent(event: RecordedEvent, request: EventRequest): void {
  const { event_id, created_at, modified_at } = event;
  const expected = { ...request, event_at: inUtc(request.event_at), event_timezone: TIMEZONE, tenant: 'ano.demo' };
  check(`the ${request.event_type} of ${request.event_at}`, event, { ...expected, event_id, created_at, modified_at });
}
