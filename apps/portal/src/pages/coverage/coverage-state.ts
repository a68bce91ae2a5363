import { type Collection, COLLECTIONS, SEARCH_DEFAULTS } from '@fibre/client';
import { createContext } from 'preact';
import { useLocation } from 'preact-iso';
import { useContext } from 'preact/hooks';
import { addressWith, useFilters } from '../../hooks/use-filters.js';
import type { Records } from '../../ui/form/record-choice.js';
import { type Box, type Place, SEARCH_FILTERS, type SearchQuery, type Shown } from './access-node.js';

export const PANELS = ['filters', 'search', 'list', 'create', 'bulk', 'files'] as const;
export const FILTERS = ['relation_id', ...SEARCH_FILTERS] as const;

type Name = 'target' | (typeof FILTERS)[number] | 'panel' | 'node' | keyof SearchQuery | 'view';
type Changes = Partial<Record<Name, string | undefined>>;

export interface Boxes {
  readonly inView: () => Box;
  /** The box that the person draws; `undefined` if they give up. */
  readonly draw: (signal: AbortSignal) => Promise<Box>;
}

/** What the map and the panels share. */
export interface Coverage extends ReturnType<typeof useCoverageState> {
  readonly mayRead: boolean;
  readonly relations: Records;
  /** Why the map shows no nodes, for example because of an invalid filter. */
  readonly error: unknown;
  /** Increases when nodes have changed. */
  readonly revision: number;
  readonly onChanged: () => void;
  /** Like `onChanged`, but the map also moves to the imported nodes. */
  readonly onImported: () => void;
  /** Areas of the map; absent without a map. */
  readonly boxes: { current: Boxes | undefined };
  /** The last click on the map. */
  readonly clicked: Place | undefined;
}
export const CoverageContext = createContext<Coverage | undefined>(undefined);
export const useCoverage = (): Coverage => useContext(CoverageContext)!;

export const DEFAULT_SEARCH: SearchQuery = {
  center: '',
  search_radius: String(SEARCH_DEFAULTS.search_radius),
  limit: String(SEARCH_DEFAULTS.limit),
};

/** The state of the page is in its URL, so that a link shows the same state. */
export function useCoverageState(mayRead: boolean) {
  const { query, route } = useLocation();
  const known = <T extends string>(values: readonly T[], value: string | undefined): T | undefined => values.find((one) => one === value);
  const target: Collection = known(COLLECTIONS, query['target']) ?? 'nodes';
  const { filters, isFiltered } = useFilters(FILTERS);
  const { center, search_radius = DEFAULT_SEARCH.search_radius, limit = DEFAULT_SEARCH.limit } = query;
  return {
    shown: { target, ...filters } satisfies Shown,
    filters,
    isFiltered,
    panel: mayRead ? (known(PANELS, query['panel']) ?? 'filters') : 'search',
    node: query['node'],
    /** The last search. */
    search: center === undefined ? undefined : { center, search_radius, limit },
    change: (changes: Changes) => route(addressWith(changes), true),
  };
}

/** The map position saved in the URL. */
export function viewOfAddress(): { zoom: number; latitude: number; longitude: number } | undefined {
  const [zoom = NaN, latitude = NaN, longitude = NaN] = (new URLSearchParams(location.search).get('view') ?? '').split('/').map(Number);
  const isPlace = zoom >= 0 && zoom <= 22 && Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180;
  return isPlace ? { zoom, latitude, longitude } : undefined;
}

let kept: string | undefined;

/** Whether the map has saved this position itself; any other one comes from a link, which the map follows. */
export const isKeptView = (view: string | undefined): boolean => view === kept;

/** Saves the position without rendering, because the map moves often and nothing else depends on its position. */
export function keepView(zoom: number, latitude: number, longitude: number): void {
  kept = `${zoom.toFixed(2)}/${latitude.toFixed(5)}/${longitude.toFixed(5)}`;
  history.replaceState(history.state, '', addressWith({ view: kept }));
}
