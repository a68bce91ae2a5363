import { check } from '../check.js';
import { say, step } from '../show.js';
import { LATEST } from './event.js';
import { listEvents, showEvents } from './list-events.js';
import { recordedAt, type Visit } from './visit.js';

export async function filterEvents(visit: Visit): Promise<void> {
  const { ano, entityId: entity_id, times, recorded } = visit;
  step('Filters: what is known of the events, and when they took place');
  const untouched = await listEvents(ano, { entity_id, token: 'untouched' });
  check(
    'untouched events',
    untouched,
    recorded.filter(({ event_type }) => event_type !== 'activation'),
  );
  say(`${untouched.length} of ${recorded.length}: all but the activation, whose user attributes were overwritten`);

  const fresh = await listEvents(ano, { entity_id, token: 'fresh' });
  check('fresh events', fresh, recorded);
  say(`all ${fresh.length}: recorded just now, whenever they took place`);

  const upgrade = recordedAt(visit, 'upgrade');
  const period = times.upgrade.toPlainDate().toString();
  const day = await listEvents(ano, { entity_id, period });
  showEvents(day);
  check(`events of ${period}`, day, [upgrade]);
  say(`the date is that of the event's own time zone; in UTC it was ${upgrade.event_at.slice(0, 'YYYY-MM-DD'.length)} still`);

  const period_end = times.downgrade.toPlainDate().toString();
  const range = await listEvents(ano, { entity_id, period, period_end });
  showEvents(range);
  check(`events from ${period} to ${period_end}`, range, [recordedAt(visit, 'downgrade'), upgrade]);
}

export async function readLatest(visit: Visit): Promise<void> {
  const { ano, entityId: entity_id, times } = visit;
  step('The latest event of an entity is the one created last');
  const latest = await listEvents(ano, { entity_id }, { path: LATEST });
  showEvents(latest);
  check('the latest event', latest, [recordedAt(visit, 'deactivation')]);

  const period = times.upgrade.toPlainDate().toString();
  const period_end = times.downgrade.toPlainDate().toString();
  say('filters come first; of the two updates the one that was inserted into the past was created last:');
  const filtered = await listEvents(ano, { entity_id, period, period_end }, { path: LATEST });
  showEvents(filtered);
  check('the latest event of the period', filtered, [recordedAt(visit, 'upgrade')]);
}
