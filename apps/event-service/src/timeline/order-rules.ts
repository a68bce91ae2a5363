import type { LifecycleType } from './timeline.js';

/** The types that may follow each type by `event_at` (SPEC section 3.2). `undefined` is the start of the timeline. */
const FOLLOWERS = new Map<LifecycleType | undefined, readonly LifecycleType[]>([
  [undefined, ['activation']],
  ['activation', ['update', 'deactivation']],
  ['update', ['update', 'deactivation']],
  ['deactivation', ['activation']],
]);

/** Whether `next` may directly follow `previous`. */
export const mayFollow = (previous: LifecycleType | undefined, next: LifecycleType): boolean => FOLLOWERS.get(previous)!.includes(next);
