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

export async function searchNodes(
  { coverage }: FibreClient,
  { center, search_radius, limit }: SearchQuery,
  filters: Filters,
  signal?: AbortSignal,
): Promise<SearchResult[]> {
  const { token, technology, status } = filters;
  // The service reports a text that is not a number.
  const query = { center, search_radius, limit, ...(token && { token }), ...(technology && { technology }), ...(status && { status }) };
  return coverage.search(query as unknown as Query, { signal });
}

/** Up to this number a listing is counted exactly (docs/api-design.md). */
const EXACT = 10_000;

export interface Count {
  readonly count: number;
  readonly isExact: boolean;
}

/** Counts nodes with a page size of one, so that the number of pages is the number of nodes. */
export async function countNodes(fibre: FibreClient, shown: Shown, signal?: AbortSignal): Promise<Count> {
  const { pageCount: count = NaN } = await listNodes(fibre, { ...shown, _page_size: 1 }, signal);
  return { count, isExact: count <= EXACT };
}

/** What a merge would do now. */
export interface MergePreview {
  readonly prenodes: Count;
  /** How many pre-production nodes replace one in production; unknown if comparing takes too long. */
  readonly replacing: number | undefined;
}

/** Above this number, comparing references would take dozens of pages. */
const MOST_COMPARED = 20_000;

/** @param signal stops comparing references */
export async function previewMerge(fibre: FibreClient, relation_id: string, signal?: AbortSignal): Promise<MergePreview> {
  const [prenodes, nodes] = (await Promise.all(
    (['prenodes', 'nodes'] as const).map((target) => countNodes(fibre, { relation_id, target }, signal)),
  )) as [Count, Count];
  if (prenodes.count === 0 || nodes.count === 0) return { prenodes, replacing: 0 };
  if (prenodes.count + nodes.count > MOST_COMPARED) return { prenodes, replacing: undefined };
  const [waiting, standing] = (await Promise.all(
    (['prenodes', 'nodes'] as const).map((target) => readReferences(fibre, { relation_id, target }, signal)),
  )) as [References, References];
  const replacing = [...waiting.references].filter((reference) => standing.references.has(reference)).length;
  return { prenodes: { count: waiting.count, isExact: true }, replacing };
}

interface References {
  readonly count: number;
  readonly references: ReadonlySet<string>;
}

async function readReferences(fibre: FibreClient, shown: Shown, signal?: AbortSignal): Promise<References> {
  const references = new Set<string>();
  let count = 0;
  for await (const { customer_reference } of listNodes(fibre, { ...shown, _page_size: LARGEST_PAGE }, signal)) {
    count++;
    if (customer_reference !== undefined) references.add(customer_reference);
  }
  return { count, references };
}
