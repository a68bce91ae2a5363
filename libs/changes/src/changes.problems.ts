import { Problem } from '@fibre/problems';

/** Deletions after the reader's place have been removed. */
export const changesGone = (retentionDays: number): Problem =>
  new Problem({
    status: 410,
    code: 'changes-gone',
    title: 'The changes are no longer available',
    detail: `Deletions are kept for ${retentionDays} days, and this position in the feed is older.`,
    hint: 'Start again without the parameters _page_cursor and since, and replace your copy.',
  });
