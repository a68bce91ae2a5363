import type { LifecycleType } from './timeline.js';

/** The step that an event would break: the step from its predecessor, or the step to its successor. */
export type BrokenStep = 'from-previous' | 'to-next';

/** The types that may follow each type by `event_at` (SPEC section 3.2). `undefined` is the start of the timeline. */
const FOLLOWERS = new Map<LifecycleType | undefined, readonly LifecycleType[]>([
  [undefined, ['activation']],
  ['activation', ['update', 'deactivation']],
  ['update', ['update', 'deactivation']],
  ['deactivation', ['activation']],
]);

/** Whether `next` may directly follow `previous`. */
export const mayFollow = (previous: LifecycleType | undefined, next: LifecycleType): boolean => FOLLOWERS.get(previous)!.includes(next);

/**
 * The steps that a lifecycle event would break between its neighbours. If there are none, the timeline stays valid.
 *
 * @param previous type of the lifecycle event before it, if there is one
 * @param next type of the lifecycle event after it, if there is one
 */
export function brokenSteps(previous: LifecycleType | undefined, next: LifecycleType | undefined, requested: LifecycleType): BrokenStep[] {
  const broken: BrokenStep[] = [];
  if (!mayFollow(previous, requested)) broken.push('from-previous');
  if (next !== undefined && !mayFollow(requested, next)) broken.push('to-next');
  return broken;
}
