import { say, step } from '../show.js';
import { expectConflict } from './expect-conflict.js';
import { putEvent, recordEvent } from './put-event.js';
import { deactivation, update } from './requests.js';
import { recordedAt, type Visit } from './visit.js';

export async function insertIntoPast(visit: Visit): Promise<void> {
  const { ano, entityId, times } = visit;
  step('Insert an event into the past');
  await recordEvent(visit, update(entityId, times.downgrade, 'FIBRE-50'));

  say('an update that was forgotten, between the activation and that update:');
  await recordEvent(visit, update(entityId, times.upgrade, 'FIBRE-250'));

  say('a deactivation between the two updates; it may follow the first, but the second could not follow it:');
  const refused = await putEvent(ano, deactivation(entityId, times.between));
  expectConflict(refused, 'event-order', [recordedAt(visit, 'upgrade'), recordedAt(visit, 'downgrade')]);
}
