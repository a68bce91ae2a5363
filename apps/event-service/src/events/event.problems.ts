import { formatTimestamp } from '@fibre/dto';
import { Problem } from '@fibre/problems';
import type { LifecycleType, NamedEvent } from '../timeline/timeline.js';

/** The types that may follow each type by `event_at` (SPEC section 3.2). `undefined` is the start of the timeline. */
const FOLLOWERS = new Map<LifecycleType | undefined, readonly LifecycleType[]>([
  [undefined, ['activation']],
  ['activation', ['update', 'deactivation']],
  ['update', ['update', 'deactivation']],
  ['deactivation', ['activation']],
]);

/** Whether `next` may directly follow `previous`. */
const mayFollow = (previous: LifecycleType | undefined, next: LifecycleType): boolean => FOLLOWERS.get(previous)!.includes(next);

const RULES: Readonly<Record<LifecycleType, string>> = {
  activation: 'An activation must be the first lifecycle event of its entity or follow a deactivation',
  update: 'An update must follow an activation or an update',
  deactivation: 'A deactivation must follow an activation or an update',
};

const nameOf = ({ event_id, event_type, event_at }: NamedEvent): string => `the ${event_type} of ${event_at} (${event_id})`;

const named = ({ event_id, event_type, event_at }: NamedEvent): NamedEvent => ({ event_id, event_type, event_at });

/** What is wrong if the event would break the order of its timeline (SPEC section 3.2): both neighbours are checked. */
export function orderFault(
  requested: LifecycleType,
  { previous, next }: { previous?: NamedEvent<LifecycleType>; next?: NamedEvent<LifecycleType> },
): Problem | undefined {
  const sentences: string[] = [];
  if (!mayFollow(previous?.event_type, requested))
    sentences.push(`${RULES[requested]}, but ${previous ? `${nameOf(previous)} comes before this one` : 'there is none before this one'}.`);
  if (next && !mayFollow(requested, next.event_type))
    sentences.push(`${RULES[next.event_type]}, but ${nameOf(next)} would follow this ${requested}.`);
  if (sentences.length === 0) return undefined;
  const neighbours = [previous, next].filter((neighbour) => neighbour !== undefined);
  return new Problem(409, 'event-order', 'The event breaks the order of lifecycle events', {
    detail: sentences.join(' '),
    extensions: { conflicts_with: neighbours.map(named) },
  });
}

/** Another lifecycle event of the entity took place at the same instant. */
export const eventTimeTaken = (existing: NamedEvent): Problem =>
  new Problem(409, 'event-time-taken', 'Another lifecycle event took place at this instant', {
    detail: `The entity already has ${nameOf(existing)} with other core attributes, which cannot be overwritten.`,
    hint: 'Two lifecycle events of an entity cannot have the same event_at.',
    extensions: { conflicts_with: [named(existing)] },
  });

export const eventInFuture = (now: Date): Problem =>
  new Problem(422, 'event-in-future', 'The event is in the future', {
    detail: `The event_at of a lifecycle event must not be later than the service's current time, ${formatTimestamp(now)}.`,
    errors: [{ pointer: '#/event_at', detail: 'must not be in the future' }],
    hint: 'Record it once it has happened. Only a notification may be in the future.',
  });
