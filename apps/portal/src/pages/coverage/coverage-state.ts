import { type Collection, COLLECTIONS, SEARCH_DEFAULTS } from '@fibre/client';
import { createContext } from 'preact';
import { useLocation } from 'preact-iso';
import { useContext } from 'preact/hooks';
import { addressWith, useFilters } from '../../hooks/use-filters.js';
import type { Records } from '../../ui/form/record-choice.js';
import { type Box, OWN_FILTERS, type Place, SEARCH_FILTERS, type SearchQuery, type Shown } from './access-node.js';
import type { DrawnSearch } from './map/style/drawn-search.js';
import type { MapView } from './map/map-view.js';
import { nodesQuery } from './nodes-query.js';
import { useApp } from '../../session/context.js';

export const PANELS = ['filters', 'search', 'list', 'create', 'bulk', 'files'] as const;
export const FILTERS = [...OWN_FILTERS, ...SEARCH_FILTERS] as const;

type Name = 'target' | (typeof FILTERS)[number] | 'panel' | 'node' | keyof SearchQuery | 'view';
type Changes = Partial<Record<Name, string | undefined>>;

/** What the map and the panels share. */
export interface Coverage extends ReturnType<typeof useCoverageState> {
  readonly mayRead: boolean;
  readonly relations: Records;
  /** Why the map shows no nodes, for example because of an invalid filter. */
  readonly error: unknown;
  /** Increases when nodes have changed. */
  readonly revision: number;
  readonly onChanged: () => void;
  /** Absent if the browser cannot draw a map. */
  readonly map: { current: MapView | undefined };
  /** What a search shows on the map. */
  readonly drawn: DrawnSearch | undefined;
  readonly draw: (drawn: DrawnSearch | undefined) => void;
  /** The last click on the map. */
  readonly clicked: Place | undefined;
  /** The last box drawn on the map. */
  readonly box: Box | undefined;
}
export const CoverageContext = createContext<Coverage | undefined>(undefined);
export const useCoverage = (): Coverage => useContext(CoverageContext)!;

/** The state of the page is in its URL, so that a link shows the same state. */
export function useCoverageState(mayRead: boolean) {
  const { query, route } = useLocation();
  const known = <T extends string>(values: readonly T[], value: string | undefined): T | undefined => values.find((one) => one === value);
  const target: Collection = known(COLLECTIONS, query['target']) ?? 'nodes';
  const { filters } = useFilters(FILTERS);
  const { offer: _ofSearches, ...ownFilters } = filters;
  const { fibre } = useApp();
  const shown = { target, ...ownFilters } satisfies Shown;
  const { center = '', search_radius = String(SEARCH_DEFAULTS.search_radius), limit = String(SEARCH_DEFAULTS.limit) } = query;
  return {
    shown,
    /** Reads the nodes that are shown. */
    query: nodesQuery(fibre, shown),
    filters,
    isFiltered: Object.keys(ownFilters).length > 0,
    panel: mayRead ? (known(PANELS, query['panel']) ?? 'filters') : 'search',
    node: query['node'],
    search: { center, search_radius, limit } satisfies SearchQuery,
    change: (changes: Changes) => route(addressWith(changes), true),
  };
}
