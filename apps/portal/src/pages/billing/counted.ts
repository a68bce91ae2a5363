import { type ChargedStep, daysBetween } from '@fibre/client';
import { Temporal } from 'temporal-polyfill';
import type { Row } from './ledger.js';
import type { Window } from './window.js';

/** How often an article begins and ends in a window. */
export const COUNTED = ['started', 'added', 'removed', 'ended'] as const;
export type Counted = (typeof COUNTED)[number];

/** A step with an article, and what it contributes to the total of the article. */
export type CountedStep = Row<ChargedStep> &
  Readonly<Record<Counted, number>> & {
    readonly days: number;
    /** Whether an event within the window began it. */
    readonly begun: boolean;
  };

/** The window from a microsecond earlier, to also read the steps that an event at its very start ended. */
export const fromJustBefore = (window: Window): string => Temporal.Instant.from(window.from).subtract({ microseconds: 1 }).toString();

/**
 * What each step contributes, as the service counts it. What lasts no time in the window and counts nothing is left out.
 *
 * @param steps all steps with the article, of the window {@link fromJustBefore}, in the order of the service
 */
export function countedSteps(steps: readonly Row<ChargedStep>[], article_code: string, window: Window): CountedStep[] {
  const times = (step: Row<ChargedStep>): number => step.article_codes.filter((code) => code === article_code).length;
  /** How many times more a step has the article than its neighbour, which is among the steps only if it has the article at all. */
  const more = (step: Row<ChargedStep>, neighbour: Row<ChargedStep> | undefined): number =>
    Math.max(0, times(step) - (neighbour ? times(neighbour) : 0));
  return steps
    .map((step, index) => {
      const [before, after] = [steps[index - 1], steps[index + 1]];
      const begun = step.begins !== undefined && Temporal.Instant.compare(step.from, window.from) >= 0;
      const from = begun ? step.from : window.from;
      return {
        ...step,
        from,
        begun,
        days: times(step) * daysBetween(from, step.to, window.timezone),
        started: begun && step.begins_by === 'activation' ? times(step) : 0,
        added: begun && step.begins_by === 'update' ? more(step, before?.ends === step.begins ? before : undefined) : 0,
        removed: step.ends_by === 'update' ? more(step, after?.begins === step.ends ? after : undefined) : 0,
        ended: step.ends_by === 'deactivation' ? times(step) : 0,
      };
    })
    .filter((step) => step.days > 0 || COUNTED.some((name) => step[name] > 0));
}
