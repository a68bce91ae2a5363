import type { LifecycleType, NamedEvent } from '../timeline/timeline.js';
import { orderFault } from './event.problems.js';

type BrokenStep = 'from-previous' | 'to-next';

const [A, U, D] = ['activation', 'update', 'deactivation'] as const;
const NONE = undefined;
const [OK, PREVIOUS, NEXT, BOTH]: BrokenStep[][] = [[], ['from-previous'], ['to-next'], ['from-previous', 'to-next']];

/** SPEC 3.2 written out: every previous and new type, and the steps that the new event breaks before each next type (none, A, U, D). */
const TABLE: readonly [LifecycleType | undefined, LifecycleType, readonly BrokenStep[][]][] = [
  [NONE, A, [OK!, NEXT!, OK!, OK!]],
  [NONE, U, [PREVIOUS!, BOTH!, PREVIOUS!, PREVIOUS!]],
  [NONE, D, [PREVIOUS!, PREVIOUS!, BOTH!, BOTH!]],
  [A, A, [PREVIOUS!, BOTH!, PREVIOUS!, PREVIOUS!]],
  [A, U, [OK!, NEXT!, OK!, OK!]],
  [A, D, [OK!, OK!, NEXT!, NEXT!]],
  [U, A, [PREVIOUS!, BOTH!, PREVIOUS!, PREVIOUS!]],
  [U, U, [OK!, NEXT!, OK!, OK!]],
  [U, D, [OK!, OK!, NEXT!, NEXT!]],
  [D, A, [OK!, NEXT!, OK!, OK!]],
  [D, U, [PREVIOUS!, BOTH!, PREVIOUS!, PREVIOUS!]],
  [D, D, [PREVIOUS!, PREVIOUS!, BOTH!, BOTH!]],
];
const CASES = TABLE.flatMap(([previous, requested, brokenBeforeNext]) =>
  [NONE, A, U, D].map((next, index) => ({ previous, requested, next, broken: brokenBeforeNext[index] })),
);

test.each(CASES)('$previous, then $requested, then $next', ({ previous, requested, next, broken }) => {
  const event = (event_type: LifecycleType | undefined): NamedEvent<LifecycleType> | undefined =>
    event_type && { event_id: 'id', event_type, event_at: 'then' };
  const detail = orderFault(requested, { previous: event(previous), next: event(next) })?.message ?? '';
  const found = [/before this one\./, /would follow this/].map((sentence) => sentence.test(detail));
  expect(found).toEqual([broken!.includes('from-previous'), broken!.includes('to-next')]);
});

test('the table contains every case once', () => {
  expect(new Set(CASES.map(({ previous, requested, next }) => `${previous} ${requested} ${next}`)).size).toBe(4 * 3 * 4);
});
