import { formatTimestamp } from '@fibre/dto';
import { Problem } from '@fibre/problems';
import type { BrokenStep } from '../timeline/order-rules.js';
import type { LifecycleType, NamedEvent } from '../timeline/timeline.js';

const RULES: Readonly<Record<LifecycleType, string>> = {
  activation: 'An activation has to be the first lifecycle event of its entity or to follow a deactivation',
  update: 'An update has to follow an activation or an update',
  deactivation: 'A deactivation has to follow an activation or an update',
};

const nameOf = ({ event_id, event_type, event_at }: NamedEvent): string => `the ${event_type} of ${event_at} (${event_id})`;

const named = ({ event_id, event_type, event_at }: NamedEvent): NamedEvent => ({ event_id, event_type, event_at });

/**
 * The event would break the order of its timeline (SPEC section 3.2).
 *
 * @param broken which of its steps; at least one
 */
export function eventOrder(
  requested: LifecycleType,
  broken: readonly BrokenStep[],
  { previous, next }: { previous?: NamedEvent<LifecycleType>; next?: NamedEvent<LifecycleType> },
): Problem {
  const sentences = broken.map((step) =>
    step === 'to-next'
      ? `${RULES[next!.event_type]}, and ${nameOf(next!)} would follow this ${requested}.`
      : `${RULES[requested]}, and ${previous ? `before it comes ${nameOf(previous)}` : 'there is none before it'}.`,
  );
  const neighbours = [previous, next].filter((neighbour) => neighbour !== undefined);
  return new Problem({
    status: 409,
    code: 'event-order',
    title: 'The order of lifecycle events does not allow this',
    detail: sentences.join(' '),
    extensions: { conflicts_with: neighbours.map(named) },
  });
}

/** Another lifecycle event has the instant. */
export const eventTimeTaken = (existing: NamedEvent): Problem =>
  new Problem({
    status: 409,
    code: 'event-time-taken',
    title: 'Another lifecycle event has this instant',
    detail: `At this instant the entity has ${nameOf(existing)} with other core attributes; it is never overwritten.`,
    hint: 'Lifecycle events of an entity differ in event_at.',
    extensions: { conflicts_with: [named(existing)] },
  });

/** A lifecycle event that has not happened yet. */
export const eventInFuture = (now: Date): Problem =>
  new Problem({
    status: 422,
    code: 'event-in-future',
    title: 'The event lies in the future',
    detail: `event_at of a lifecycle event must not be after the time of the service, ${formatTimestamp(now)}.`,
    errors: [{ pointer: '#/event_at', detail: 'must not lie in the future' }],
    hint: 'Record it once it has happened. Only a notification may lie in the future.',
  });
