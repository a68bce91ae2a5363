import type { DryRun, EntityWithPeriods } from '@fibre/client';
import { daysBetween } from '../../billing/days.js';
import { monthAt, type Window, windowOf } from '../../billing/window.js';
import { chargesOf, type EventType } from '../entity.js';

type Charge = Pick<ReturnType<typeof chargesOf>[number], 'partner_id' | 'article_codes' | 'from' | 'to'>;

/** What an article costs an ISP in a month, in days, without and with an event. */
export interface Change {
  readonly partner_id: string;
  readonly article_code: string;
  readonly before: number;
  readonly after: number;
}

export interface Preview {
  readonly outcome: DryRun['outcome'];
  /** The month; absent if the person may not read what is charged. */
  readonly window?: Window;
  /** Absent too if nothing would be recorded. */
  readonly changes?: readonly Change[];
}

/** An event that the service would record. */
interface Planned {
  readonly type: EventType;
  readonly at: string;
  readonly partner_id: string;
  readonly article_codes: readonly string[];
}

/** What an event would change in the month in which it takes place. */
export function previewOf(outcome: DryRun['outcome'], entity: EntityWithPeriods | undefined, event: Planned): Preview {
  const window = windowOf(monthAt(event.at))!;
  // Earlier steps are missing.
  if (outcome !== 'created' || entity?.periods_truncated) return { outcome };
  const charges = chargesOf(entity?.periods ?? []);
  return { outcome, window, changes: changesIn(window, charges, withEvent(charges, event)) };
}

/** The charges if this event were recorded too. The service has decided that it may be. */
function withEvent(charges: readonly Charge[], { type, at, partner_id, article_codes }: Planned): Charge[] {
  if (type === 'notification') return [...charges];
  if (type === 'activation') return [...charges, { partner_id, article_codes: [...article_codes], from: at }];
  const isBefore = (one: string, other: string): boolean => Date.parse(one) < Date.parse(other);
  return charges.flatMap((charge) => {
    if (!isBefore(charge.from, at) || (charge.to !== undefined && !isBefore(at, charge.to))) return [charge];
    const rest = { ...charge, from: at, article_codes: [...article_codes] };
    return [{ ...charge, to: at }, ...(type === 'update' ? [rest] : [])];
  });
}

function changesIn(window: Window, before: readonly Charge[], after: readonly Charge[]): Change[] {
  const found = new Map<string, Change>();
  for (const [name, charges] of Object.entries({ before, after }))
    for (const { partner_id, article_codes, from, to = window.to } of charges) {
      const begin = Date.parse(from) > Date.parse(window.from) ? from : window.from;
      const end = Date.parse(to) < Date.parse(window.to) ? to : window.to;
      if (Date.parse(begin) >= Date.parse(end)) continue;
      for (const article_code of article_codes) {
        const key = `${partner_id}/${article_code}`;
        const change = found.get(key) ?? { partner_id, article_code, before: 0, after: 0 };
        const days = change[name as 'before' | 'after'] + daysBetween(begin, end, window.timezone);
        found.set(key, { ...change, [name]: days });
      }
    }
  return [...found.values()];
}
