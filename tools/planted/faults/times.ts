import { COVERAGE, EVENTS, type Fault } from '../fault.js';

export const TIMES: readonly Fault[] = [
  {
    rule: 'a day on which the clock changes counts as one day',
    file: `${EVENTS}timeline/period-window.ts`,
    edits: [
      [
        'const start = microseconds(day.toZonedDateTime(timezone).toInstant());',
        'const start = starts.length > 0 ? starts.at(-1)! + 86_400_000_000n : microseconds(day.toZonedDateTime(timezone).toInstant());',
      ],
    ],
    caughtBy: ['event-service', 'billing/totals'],
  },
  {
    rule: 'a date begins with the offset that its zone has on that day, not today',
    file: `${EVENTS}timeline/period-window.ts`,
    edits: [
      [
        'Temporal.PlainDate.from(edge).toZonedDateTime(timezone).toInstant()',
        'Temporal.Instant.from(`${edge}T00:00:00${Temporal.Now.zonedDateTimeISO(timezone).offset}`)',
      ],
    ],
    caughtBy: ['event-service', 'billing/periods.e2e'],
  },
  {
    rule: 'the offset of an event is that of its instant, not of the beginning of its day',
    file: `${EVENTS}timeline/event-time.ts`,
    edits: [['instant.toZonedDateTimeISO(timeZone).offset', 'instant.toZonedDateTimeISO(timeZone).startOfDay().offset']],
    caughtBy: ['event-service', 'timeline/event-time'],
  },
  {
    rule: 'a month before the 31st is the month before, not 30 days',
    file: `${EVENTS}entities/personal-data-clean-up.ts`,
    edits: [['today.subtract({ months })', 'today.subtract({ days: 30 * months })']],
    caughtBy: ['event-service', 'entities/erase'],
  },
  {
    rule: 'a window of 400 days has those of its zone, whose clock may change in between',
    file: `${EVENTS}timeline/period-window.ts`,
    edits: [
      ['begin.instant.toZonedDateTimeISO(zone).add({ days: MAX_DAYS })', "begin.instant.toZonedDateTimeISO('UTC').add({ days: MAX_DAYS })"],
    ],
    caughtBy: ['event-service', 'billing/periods.e2e'],
  },
  {
    rule: 'a namespace that is read is not deleted, although its use is recorded only every ten minutes',
    file: `${EVENTS}namespaces/namespace-clean-up.ts`,
    edits: [['* DAY_MS - TOUCH_INTERVAL_MS', '* DAY_MS']],
    caughtBy: ['event-service', 'service/namespaces'],
  },
  {
    rule: 'a node that is available from today may be promised now',
    file: `${COVERAGE}access-nodes/access-node.sql.ts`,
    edits: [['n.available_from > (now()', 'n.available_from >= (now()']],
    caughtBy: ['coverage-service', 'coverage-search/offers'],
  },
  {
    rule: 'the time of a write is not that of the beginning of its transaction',
    file: 'libs/settled-time/src/write-time.sql.ts',
    edits: [['clock_timestamp()', 'now()']],
    caughtBy: ['event-service', 'changes/changes-races'],
  },
];
