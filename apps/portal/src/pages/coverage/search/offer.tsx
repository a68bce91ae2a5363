import type { OFFERS } from '@fibre/client';
import { formatDate } from '../../../texts.js';
import { texts } from './search-texts.js';

export type Offer = (typeof OFFERS)[number];

/** What a node says about when a customer may be served. */
export interface Offered {
  readonly offer?: Offer | undefined;
  readonly available_from?: string | undefined;
}

/** What may be promised to a customer at a node today; nothing at one that is terminated. */
export function promiseOf({ offer, available_from }: Offered): string | undefined {
  const t = texts();
  if (offer === undefined) return undefined;
  if (offer === 'now') return t.canOrderNow;
  if (offer === 'planned') return t.onlyPlanned;
  // A date that has passed was that of a plan; the node is still under construction.
  const isAhead = available_from !== undefined && available_from > new Date().toISOString().slice(0, 10);
  return isAhead ? t.canOrderFrom(formatDate(available_from)) : t.canOrderWhenBuilt;
}
