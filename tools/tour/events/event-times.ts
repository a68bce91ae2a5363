import { check, checkThat } from '../check.js';
import { expectProblem } from '../problem.js';
import { step } from '../show.js';
import { putEvent, recordEvent } from './put-event.js';
import { notification, update } from './requests.js';
import { TIMEZONE } from './times.js';
import { type Visit } from './visit.js';

/** Vienna's in winter and in summer. */
const OFFSETS = ['+01:00', '+02:00'];

export async function refuseFuture(visit: Visit): Promise<void> {
  const { ano, entityId, times } = visit;
  step('The future is for notifications');
  const refused = await putEvent(ano, update(entityId, times.maintenance, 'FIBRE-1000'));
  const { code, errors } = expectProblem(refused, 422);
  check('what the problem names', [code, errors?.map(({ pointer }) => pointer)], ['event-in-future', ['#/event_at']]);

  await recordEvent(visit, notification(entityId, times.maintenance, 'maintenance of the line'));
}

export async function refuseWrongOffset({ ano, entityId, times }: Visit): Promise<void> {
  step('An offset that the time zone does not have then');
  const { offset } = times.between;
  const wrong = OFFSETS.find((other) => other !== offset) ?? '';
  const request = update(entityId, times.between, 'FIBRE-1000');
  const refused = await putEvent(ano, { ...request, event_at: request.event_at.replace(offset, wrong) });
  const { errors = [] } = expectProblem(refused, 422);
  check(
    'what the problem names',
    errors.map(({ pointer }) => pointer),
    ['#/event_at'],
  );
  const detail = errors[0]?.detail ?? '';
  const says = [TIMEZONE, wrong, offset].every((part) => detail.includes(part));
  checkThat('what it says', says, detail, `the offset ${offset} that ${TIMEZONE} has then`);
}
