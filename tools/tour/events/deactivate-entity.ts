import { check } from '../check.js';
import { say, step } from '../show.js';
import { listEvents, showEvents } from './list-events.js';
import { recordEvent } from './put-event.js';
import { deactivation } from './requests.js';
import { type Visit } from './visit.js';

export async function deactivateEntity(visit: Visit): Promise<void> {
  const { ano, entityId, times } = visit;
  step('Deactivate it');
  const completed = { entity_id: entityId, token: 'completed' };
  const before = await listEvents(ano, completed);
  showEvents(before);
  check('completed events before', before, []);
  await recordEvent(visit, deactivation(entityId, times.deactivation));

  const after = await listEvents(ano, completed);
  showEvents(after);
  check(
    'completed events after',
    after,
    visit.recorded.filter(({ event_type }) => event_type !== 'notification'),
  );
  say('the subscription period of all of them is over; the time of the notification has not passed yet');
}
