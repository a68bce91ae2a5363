import { type Answer } from '../api.js';
import { check } from '../check.js';
import { expectProblem, type Problem } from '../problem.js';
import { say } from '../show.js';
import { type RecordedEvent } from './event.js';

interface EventConflict extends Problem {
  conflicts_with: Pick<RecordedEvent, 'event_id' | 'event_type' | 'event_at'>[];
}

/** Checks that the event was refused because of these and no others. */
export function expectConflict(answer: Answer, code: 'event-order' | 'event-time-taken', events: readonly RecordedEvent[]): void {
  const { code: actual, conflicts_with } = expectProblem(answer, 409) as EventConflict;
  check('the code of the problem', actual, code);
  const expected = events.map(({ event_id, event_type, event_at }) => ({ event_id, event_type, event_at }));
  check('the events that stand in the way', conflicts_with, expected);
  for (const event of conflicts_with) say(`  conflicts_with: ${JSON.stringify(event)}`);
}
