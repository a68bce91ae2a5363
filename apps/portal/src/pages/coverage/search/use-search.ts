import { useMemo, useRef } from 'preact/hooks';
import { useApp, useScope } from '../../../session/context.js';
import { type Loaded, useLoad } from '../../../hooks/use-load.js';
import { type Filters, placeOf, searchNodes, type SearchQuery, type SearchResult } from '../access-node.js';
import type { DrawnSearch } from '../map/layers.js';

/** The search in the address of the page. */
export function useSearch(
  search: SearchQuery | undefined,
  filters: Filters,
  revision: number,
): { results: Loaded<SearchResult[] | undefined>; drawn: DrawnSearch | undefined; run: (query: SearchQuery) => Promise<void> } {
  const { fibre } = useApp();
  const maySearch = useScope('coverage:search');
  const { token, technology, status } = filters;
  const keyOf = (query: SearchQuery | undefined): string => JSON.stringify([query, token, technology, status, revision]);
  // Does not repeat a search of the form when the address changes to it.
  const asked = useRef<{ key: string; results: SearchResult[] }>(undefined);
  const key = keyOf(search);
  const results = useLoad(async (signal) => {
    if (!search || !maySearch) return undefined;
    const known = asked.current;
    asked.current = undefined;
    return known?.key === key ? known.results : searchNodes(fibre, search, filters, signal);
  }, key);
  const { data } = results;
  const drawn = useMemo<DrawnSearch | undefined>(() => {
    if (!search || !data) return undefined;
    const found = data.map(({ center, quality }) => ({ ...placeOf(center), quality }));
    return { circle: { center: placeOf(search.center), metres: Number(search.search_radius) }, found };
  }, [data]);
  const run = async (query: SearchQuery): Promise<void> => {
    const found = await searchNodes(fibre, query, filters);
    asked.current = { key: keyOf(query), results: found };
    if (keyOf(query) === key) results.reload();
  };
  return { results, drawn, run };
}
