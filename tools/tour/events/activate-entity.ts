import { check, checkThat } from '../check.js';
import { say, step } from '../show.js';
import { checkEvent, putEvent, recordEvent } from './put-event.js';
import { activation } from './requests.js';
import { recordedAt, type Visit } from './visit.js';

const FIRST = { usr_reference: 'order-4711', comment: 'connected in the afternoon' };
const CORRECTED = { usr_reference: 'order-4712', usr_attributes: { invoice: { month: 3 } } };

const request = ({ entityId, times }: Visit) => activation(entityId, times.activation);

export async function activateEntity(visit: Visit): Promise<void> {
  step('Activate an entity');
  say(`entity ${visit.entityId}`);
  const { event_at } = await recordEvent(visit, { ...request(visit), ...FIRST });
  say(`stored in UTC: event_at ${event_at}`);
}

export async function repeatRequest(visit: Visit): Promise<void> {
  step('The same request again, as after a timeout');
  const repeated = await putEvent(visit.ano, { ...request(visit), ...FIRST });
  check('status of the repeat', repeated.status, 200);
  check('the event after the repeat', repeated.body, recordedAt(visit, 'activation'));
  say(`event_id ${repeated.body.event_id} as before, nothing written: modified_at is ${repeated.body.modified_at} still`);
}

export async function overwriteUserAttributes(visit: Visit): Promise<void> {
  step('The same event with other user attributes: they are overwritten as a whole');
  const before = recordedAt(visit, 'activation');
  const { status, body: after } = await putEvent(visit.ano, { ...request(visit), ...CORRECTED });
  check('status of the overwrite', status, 201);
  checkEvent(after, { ...request(visit), ...CORRECTED });
  check('event_id and created_at', [after.event_id, after.created_at], [before.event_id, before.created_at]);
  checkThat('modified_at', after.modified_at > before.modified_at, after.modified_at, `after ${before.modified_at}`);
  visit.recorded[visit.recorded.indexOf(before)] = after;
  say(`event_id ${after.event_id} as before, modified at ${after.modified_at}; its comment was not sent again and is gone`);
}
