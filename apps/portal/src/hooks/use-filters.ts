import { useLocation } from 'preact-iso';

/** The filters in the page's URL. A choice applies immediately, and Back undoes it. */
export function useFilters<N extends string>(names: readonly N[]) {
  const { query, route } = useLocation();
  const filters = Object.fromEntries(names.flatMap((name) => (query[name] ? [[name, query[name]]] : []))) as Partial<Record<N, string>>;
  const change = (changes: Partial<Record<N, string>>): void => route(addressWith(changes));
  return { filters, change, key: JSON.stringify(filters), isFiltered: Object.keys(filters).length > 0 };
}

/** The page's URL with these changes to its query; empty values are removed. */
export function addressWith(changes: Readonly<Record<string, string | undefined>>): string {
  const query = new URLSearchParams(location.search);
  for (const [name, value] of Object.entries(changes)) {
    if (value) query.set(name, value);
    else query.delete(name);
  }
  return query.size > 0 ? `${location.pathname}?${query}` : location.pathname;
}
