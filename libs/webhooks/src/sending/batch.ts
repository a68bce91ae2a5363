import type { Change, ChangePage, ListedFeed } from '@fibre/changes';
import type { Webhook } from '../webhook.entity.js';

const MAX_BATCH_BYTES = 1024 ** 2;
/** Upper bound on an event's size without its data. */
const EVENT_BYTES = 512;

/** The next batch to send. */
export interface Batch extends ChangePage {
  /** Key of the last change in the batch when it was first sent. */
  readonly end: string;
}

/**
 * The batch whose delivery has already begun, if there is one, without records that have since changed again; otherwise a new batch, as
 * large as allowed.
 */
export async function nextBatch(feed: ListedFeed, { tenant, filters, place, batch_limit, batch_end }: Webhook): Promise<Batch> {
  for (let limit = batch_limit; ;) {
    const page = await feed.read({ tenant }, filters, place, limit);
    const [first] = page.items;
    const begun = first && batch_end !== null && keyOf(first) <= batch_end ? batch_end : undefined;
    const length = fitting(page.items, begun);
    // If not all changes fit, fewer are read, because only the feed knows the place after them.
    if (length === page.items.length) {
      const end = begun ?? (length === 0 ? '' : keyOf(page.items[length - 1]!));
      return { ...page, end };
    }
    limit = length;
  }
}

/** A key that orders changes as their feed does. */
const keyOf = ({ changed_at, id }: Change): string => `${changed_at} ${id}`;

/** How many of the changes fit into a batch: at least one, if there are any. */
function fitting(items: readonly Change[], end: string | undefined): number {
  let bytes = 0;
  const tooMuch = items.findIndex((change, index) => {
    bytes += Buffer.byteLength(change.json) + EVENT_BYTES;
    return (index > 0 && bytes > MAX_BATCH_BYTES) || (end !== undefined && keyOf(change) > end);
  });
  return tooMuch < 0 ? items.length : tooMuch;
}
