import { randomUUID } from 'node:crypto';
import { check } from '../check.js';
import { expectProblem } from '../problem.js';
import { say, showRequest, step } from '../show.js';
import { EVENTS, LATEST, type RecordedEvent } from './event.js';
import { expectConflict } from './expect-conflict.js';
import { listEvents, showEvents } from './list-events.js';
import { checkEvent, putEvent } from './put-event.js';
import { activation, update } from './requests.js';
import { recordedAt, type Visit } from './visit.js';

export async function useNamespace(visit: Visit): Promise<void> {
  const { ano, entityId, namespace, times, recorded } = visit;
  step('A namespace, for development and tests: a clean state');
  say(`every request with the header namespace: ${namespace}`);
  const headers = { namespace };
  const production = recordedAt(visit, 'activation');

  const hidden = await ano.call('GET', `${EVENTS}${production.event_id}/`, { headers });
  showRequest(hidden);
  expectProblem(hidden, 404);
  const nothing = await listEvents(ano, {}, { headers });
  showEvents(nothing);
  check('events in a new namespace', nothing, []);
  const early = await putEvent(ano, update(entityId, times.between, 'FIBRE-250'), headers);
  expectConflict(early, 'event-order', []);

  const first = await activate(visit, entityId);
  check('whether it is another event than in production', first.event_id !== production.event_id, true);
  const second = await activate(visit, randomUUID());
  const latest = await listEvents(ano, {}, { path: LATEST, headers });
  showEvents(latest);
  const byEntity = [first, second].sort((a, b) => (a.entity_id < b.entity_id ? -1 : 1));
  check('the latest event of each entity', latest, byEntity);

  say('and production, without the header, is as it was:');
  const untouched = await listEvents(ano, { entity_id: entityId });
  check('events in production', untouched, recorded);
  say(`the same ${untouched.length} events`);
}

async function activate({ ano, namespace, times }: Visit, entityId: string): Promise<RecordedEvent> {
  const request = activation(entityId, times.activation);
  const { status, body: event } = await putEvent(ano, request, { namespace });
  check('status of the activation', status, 201);
  checkEvent(event, request);
  say(`entity ${entityId}, event_id ${event.event_id}`);
  return event;
}
