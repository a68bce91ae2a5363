import { check } from '../check.js';
import { expectProblem } from '../problem.js';
import { say, showRequest, step } from '../show.js';
import { EVENTS, type RecordedEvent } from './event.js';
import { listEvents, showEvents } from './list-events.js';
import { recordedAt, type Visit } from './visit.js';

export async function readEvent(visit: Visit): Promise<void> {
  const { ano, other, entityId } = visit;
  step('Read one, and what another tenant sees of it');
  const event = recordedAt(visit, 'activation');
  const path = `${EVENTS}${event.event_id}/`;
  const read = await ano.call<RecordedEvent>('GET', path);
  showRequest(read);
  check('status and event', [read.status, read.body], [200, event]);
  say(JSON.stringify(read.body));

  say('as ano-other:');
  const hidden = await other.call('GET', path);
  showRequest(hidden);
  expectProblem(hidden, 404);
  const listed = await listEvents(other, { entity_id: entityId });
  showEvents(listed);
  check('events that another tenant sees', listed, []);
}
