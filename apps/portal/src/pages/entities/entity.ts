import type { Entity, EntityWithPeriods, Period, RecordedEvent } from '@fibre/client';

export type { Entity, EntityWithPeriods, Period, RecordedEvent };

export type State = Entity['state'];
export type EventType = RecordedEvent['event_type'];

/** The events that may come next (SPEC section 3.2); an entity without a state has no event yet. */
export const nextEvents = (state?: string): readonly EventType[] =>
  state === 'active' ? ['update', 'deactivation', 'notification'] : ['activation', 'notification'];

export interface EntityFilters {
  readonly state?: State;
  readonly partner_id?: string;
  readonly article_code?: string;
  readonly at?: string;
}

/** A part of a subscription without changes: what is charged, from when to when. */
export interface Charge {
  readonly event_id: string;
  readonly from: string;
  /** Absent while it runs. */
  readonly to?: string;
  /** Whether the subscription ends here, not only this part. */
  readonly isLast: boolean;
  readonly isFirst: boolean;
  readonly partner_id: string;
  readonly article_codes: readonly string[];
  readonly option82?: string;
  readonly partner_reference?: string;
}

/** The steps of the periods, one after the other. */
export const chargesOf = (periods: readonly Period[]): Charge[] =>
  periods.flatMap(({ from, to, partner_id, steps }) =>
    steps.map((step, index) => {
      const end = steps[index + 1]?.from ?? to;
      return {
        ...step,
        partner_id,
        ...(end !== undefined && { to: end }),
        isFirst: step.from === from,
        isLast: index === steps.length - 1,
      };
    }),
  );
