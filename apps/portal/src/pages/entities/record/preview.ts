import type { Closing, DryRun, EntityWithPeriods } from '@fibre/client';
import { isSame } from '../../billing/window.js';
import { type Charged, chargesOf, type EventType } from '../entity.js';

export interface Preview {
  readonly outcome: DryRun['outcome'];
  /** What is charged if the event is recorded; absent if nothing would be. */
  readonly charges?: readonly Charged[];
  /** The last closings of the periods in which it changes what is charged, the earliest period first. */
  readonly closed?: readonly Closing[];
  /** Whether what is charged in later months changes too. */
  readonly changesLater?: boolean;
}

/** An event that the service would record. */
interface Planned {
  readonly type: EventType;
  readonly at: string;
  readonly partner_id: string;
  readonly article_codes: readonly string[];
}

/** The time in which something else is charged, and the ISP that is charged. */
interface Change {
  readonly partner_id: string;
  readonly from: string;
  readonly to: string | undefined;
}

/**
 * What an event would change.
 *
 * @param closings all of the tenant's closings
 * @param monthEnd the end of the month in which the event takes place
 */
export function previewOf(
  outcome: DryRun['outcome'],
  entity: EntityWithPeriods | undefined,
  event: Planned,
  { closings, monthEnd }: { closings: readonly Closing[]; monthEnd: string },
): Preview {
  // Earlier steps are missing.
  if (outcome !== 'created' || entity?.periods_truncated) return { outcome };
  const before = chargesOf(entity?.periods ?? []);
  const change = changeOf(before, event);
  return {
    outcome,
    charges: withEvent(before, event),
    closed: change ? lastClosings(closings, change) : [],
    changesLater: change !== undefined && isPast(monthEnd) && (change.to === undefined || isBefore(monthEnd, change.to)),
  };
}

/** The charges if this event were recorded too. The service has decided that it may be. */
function withEvent(charges: readonly Charged[], event: Planned): readonly Charged[] {
  const { type, at, partner_id, article_codes } = event;
  if (type === 'notification') return charges;
  if (type === 'activation') return [...charges, { partner_id, article_codes: [...article_codes], from: at }];
  return charges.flatMap((charge) => {
    if (!isWithin(at, charge)) return [charge];
    const rest = { ...charge, from: at, article_codes: [...article_codes] };
    return [{ ...charge, to: at }, ...(type === 'update' ? [rest] : [])];
  });
}

/** When an event changes what is charged; `undefined` if it does not. */
function changeOf(charges: readonly Charged[], { type, at, partner_id, article_codes }: Planned): Change | undefined {
  if (type === 'notification') return undefined;
  if (type === 'activation') return { partner_id, from: at, to: undefined };
  const charge = charges.find((one) => isWithin(at, one));
  const isEqual = type === 'update' && charge?.article_codes.toSorted().join('\n') === article_codes.toSorted().join('\n');
  return charge && !isEqual ? { partner_id: charge.partner_id, from: at, to: charge.to } : undefined;
}

/** The last closing of each period that a change touches. */
function lastClosings(closings: readonly Closing[], { partner_id, from, to }: Change): Closing[] {
  const touched = closings
    .filter((one) => one.partner_id === undefined || one.partner_id === partner_id)
    .filter((one) => isBefore(from, one.to) && (to === undefined || isBefore(one.from, to)))
    .toSorted((a, b) => Date.parse(a.from) - Date.parse(b.from) || Date.parse(a.recorded_until) - Date.parse(b.recorded_until));
  return touched.filter((one) => touched.findLast((other) => isSame(one, other)) === one);
}

const isBefore = (one: string, other: string): boolean => Date.parse(one) < Date.parse(other);
const isPast = (at: string): boolean => Date.parse(at) <= Date.now();
const isWithin = (at: string, { from, to }: Charged): boolean => isBefore(from, at) && (to === undefined || isBefore(at, to));
