import type { DryRun, EntityWithPeriods } from '@fibre/client';
import { type Charged, chargesOf, type EventType } from '../entity.js';

export interface Preview {
  readonly outcome: DryRun['outcome'];
  /** What is charged if the event is recorded; absent if nothing would be. */
  readonly charges?: readonly Charged[];
}

/** An event that the service would record. */
interface Planned {
  readonly type: EventType;
  readonly at: string;
  readonly partner_id: string;
  readonly article_codes: readonly string[];
}

/** What an event would change. */
export function previewOf(outcome: DryRun['outcome'], entity: EntityWithPeriods | undefined, event: Planned): Preview {
  // Earlier steps are missing.
  if (outcome !== 'created' || entity?.periods_truncated) return { outcome };
  return { outcome, charges: withEvent(chargesOf(entity?.periods ?? []), event) };
}

/** The charges if this event were recorded too. The service has decided that it may be. */
function withEvent(charges: readonly Charged[], { type, at, partner_id, article_codes }: Planned): readonly Charged[] {
  if (type === 'notification') return charges;
  if (type === 'activation') return [...charges, { partner_id, article_codes: [...article_codes], from: at }];
  const isBefore = (one: string, other: string): boolean => Date.parse(one) < Date.parse(other);
  return charges.flatMap((charge) => {
    if (!isBefore(charge.from, at) || (charge.to !== undefined && !isBefore(at, charge.to))) return [charge];
    const rest = { ...charge, from: at, article_codes: [...article_codes] };
    return [{ ...charge, to: at }, ...(type === 'update' ? [rest] : [])];
  });
}
