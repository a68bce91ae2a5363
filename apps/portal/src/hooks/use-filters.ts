import { useLocation } from 'preact-iso';

/** The filters in the address of the page. What is chosen applies at once, and Back takes it back. */
export function useFilters<N extends string>(names: readonly N[]) {
  const { path, query, route } = useLocation();
  const filters = Object.fromEntries(names.flatMap((name) => (query[name] ? [[name, query[name]]] : []))) as Partial<Record<N, string>>;
  const change = (changes: Partial<Record<N, string | undefined>>): void => {
    const chosen = Object.entries<string | undefined>({ ...filters, ...changes }).filter((entry): entry is [string, string] => !!entry[1]);
    route(chosen.length > 0 ? `${path}?${new URLSearchParams(chosen).toString()}` : path);
  };
  return { filters, change, key: JSON.stringify(filters), isFiltered: Object.keys(filters).length > 0 };
}
