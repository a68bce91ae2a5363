import type {
  AccessNode,
  AccessNodeFilters,
  Collection,
  FibreClient,
  Listing,
  MergeResult,
  SearchQuery as Query,
  SearchResult,
} from '@fibre/client';

import { LARGEST_PAGE } from '../../hooks/use-listing.js';

export type { AccessNode, SearchResult };
export type Merged = MergeResult['action'];

/** Degrees. */
export interface Place {
  readonly latitude: number;
  readonly longitude: number;
}

/** Filters of list, map and search, as text from the address of the page; the service validates them. */
export type Filters = Readonly<Partial<Record<'relation_id' | 'token' | 'technology' | 'status', string>>>;
export type Shown = Filters & { readonly target: Collection };

/** Passes any text where the API's type only allows certain values; the service rejects the others. */
const asQuery = (query: object): AccessNodeFilters => query;

export function placeOf(center: string): Place {
  const [latitude = NaN, longitude = NaN] = center.split(',').map(Number);
  return { latitude, longitude };
}

/** As the service reads a center. */
export const textOf = ({ latitude, longitude }: Place): string => `${latitude.toFixed(6)}, ${longitude.toFixed(6)}`;

export const listNodes = ({ coverage }: FibreClient, query: Shown & { _page_size: number }, signal?: AbortSignal): Listing<AccessNode> =>
  coverage.nodes.list(asQuery(query), { signal });

export interface SearchQuery {
  readonly center: string;
  readonly search_radius: string;
  readonly limit: string;
}

/** The filters that a search has. */
export function searchFilters({ token, technology, status }: Filters): object {
  return { ...(token && { token }), ...(technology && { technology }), ...(status && { status }) };
}

export async function searchNodes(
  { coverage }: FibreClient,
  query: SearchQuery,
  filters: Filters,
  signal?: AbortSignal,
): Promise<SearchResult[]> {
  // The service reports a text that is not a number.
  return coverage.search({ ...query, ...searchFilters(filters) } as unknown as Query, { signal });
}

/** Counts nodes with a page size of one, so that the number of pages is the number of nodes. */
export async function countNodes(fibre: FibreClient, shown: Shown, signal?: AbortSignal): Promise<number> {
  return (await listNodes(fibre, { ...shown, _page_size: 1 }, signal)).pageCount ?? NaN;
}

/** What a merge would do now. */
export interface MergePreview {
  readonly prenodes: number;
  /** How many pre-production nodes replace one in production; unknown if comparing takes too long. */
  readonly replacing: number | undefined;
}

/** Above this number, comparing references would take dozens of pages. */
const MOST_COMPARED = 20_000;

/** @param signal stops comparing references */
export async function previewMerge(fibre: FibreClient, relation_id: string, signal?: AbortSignal): Promise<MergePreview> {
  const count = (target: Collection) => countNodes(fibre, { relation_id, target }, signal);
  const references = async (target: Collection): Promise<Set<string>> => {
    const found = new Set<string>();
    for await (const { customer_reference } of listNodes(fibre, { relation_id, target, _page_size: LARGEST_PAGE }, signal))
      if (customer_reference !== undefined) found.add(customer_reference);
    return found;
  };
  const [prenodes, nodes] = await Promise.all([count('prenodes'), count('nodes')]);
  if (prenodes === 0 || nodes === 0) return { prenodes, replacing: 0 };
  if (prenodes + nodes > MOST_COMPARED) return { prenodes, replacing: undefined };
  const [waiting, standing] = await Promise.all([references('prenodes'), references('nodes')]);
  return { prenodes, replacing: [...waiting].filter((reference) => standing.has(reference)).length };
}
