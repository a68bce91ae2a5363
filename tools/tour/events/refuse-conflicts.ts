import { step } from '../show.js';
import { expectConflict } from './expect-conflict.js';
import { putEvent } from './put-event.js';
import { activation, update } from './requests.js';
import { recordedAt, type Visit } from './visit.js';

export async function refuseWrongOrder(visit: Visit): Promise<void> {
  const { ano, entityId, times } = visit;
  step('A wrong order: what is active cannot be activated');
  expectConflict(await putEvent(ano, activation(entityId, times.between)), 'event-order', [recordedAt(visit, 'activation')]);
}

export async function refuseTakenTime(visit: Visit): Promise<void> {
  const { ano, entityId, times } = visit;
  step('Another event at the same instant');
  const answer = await putEvent(ano, update(entityId, times.activation, 'FIBRE-250'));
  expectConflict(answer, 'event-time-taken', [recordedAt(visit, 'activation')]);
}
