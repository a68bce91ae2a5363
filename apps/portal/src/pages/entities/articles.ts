import { LARGEST_PAGE } from '../../hooks/use-listing.js';
import { useLoad } from '../../hooks/use-load.js';
import { useApp, useScope } from '../../session/context.js';

/** Articles that are charged now or were in the last months, to choose from. */
const MONTHS_BACK = 3;

/** The codes of the articles in use; none if they cannot be read. */
export function useArticles(): readonly string[] {
  const { periods } = useApp().fibre;
  const mayRead = useScope('events:read');
  const load = async (signal: AbortSignal): Promise<string[]> => {
    if (!mayRead) return [];
    const [from, to] = [new Date(), new Date()];
    from.setMonth(from.getMonth() - MONTHS_BACK);
    const window = { from: from.toISOString(), to: to.toISOString() };
    const { items } = await periods.totals({ ...window, _page_size: LARGEST_PAGE }, { signal });
    return [...new Set(items.map(({ article_code }) => article_code))].sort();
  };
  return useLoad(load, String(mayRead)).data ?? [];
}
