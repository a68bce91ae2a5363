import type { Period, RecordedEvent } from '@fibre/client';

export type EventType = RecordedEvent['event_type'];

/** The events that may come next (SPEC section 3.2); an entity without a state has no events yet. */
export const nextEvents = (state?: string): readonly EventType[] =>
  state === 'active' ? ['update', 'deactivation', 'notification'] : ['activation', 'notification'];

/** A part of a subscription during which nothing changes: what is charged, and from when to when. */
export type Charge = Pick<Period, 'partner_id' | 'to'> &
  Period['steps'][number] & {
    /** Whether this is the last part of the subscription. */
    readonly isLast: boolean;
    readonly isFirst: boolean;
  };

/** What is charged, whatever event it begins with. */
export type Charged = Pick<Charge, 'from' | 'to' | 'partner_id' | 'article_codes'>;

/** The steps of all periods as one list. */
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
