import {
  type AccessNode,
  type Collection,
  type FibreClient,
  NODE_FIELDS,
  type PublishedRelation,
  type SearchQuery as Query,
} from '@fibre/client';
import { orNone } from '../../refusal.js';
import { LARGEST_PAGE, totalOf } from '../../hooks/use-listing.js';
import { EXACT } from '../../texts.js';

/** A geographic position, in degrees. */
export interface Place {
  readonly latitude: number;
  readonly longitude: number;
}

/** An area of the map, in degrees. */
export interface Box {
  readonly south: number;
  readonly west: number;
  readonly north: number;
  readonly east: number;
}

/** The choices of the filter `connected`. */
export const CONNECTED = ['true', 'false'] as const;
/** What both the operator's own nodes and the search can be filtered by. */
const NODE_FILTERS = ['token', 'technology', 'status', 'available_until', 'connected'] as const;
export const SEARCH_FILTERS = [...NODE_FILTERS, 'offer'] as const;
/** What only the operator's own nodes can be filtered by. */
export const OWN_FILTERS = ['relation_id', 'created_by', 'modified_by'] as const;
/** Filters for the list, map and search, as text from the URL; the service validates them. */
export type Filters = Readonly<Partial<Record<(typeof OWN_FILTERS)[number] | (typeof SEARCH_FILTERS)[number], string>>>;
/** What the list and the map show. */
export type Shown = Omit<Filters, 'offer'> & { readonly target: Collection };

export function placeOf(center: string): Place {
  const [latitude = NaN, longitude = NaN] = center.split(',').map(Number);
  return { latitude, longitude };
}

/** Formats a place the way the service expects `center`. */
export const textOf = ({ latitude, longitude }: Place): string => `${latitude.toFixed(6)}, ${longitude.toFixed(6)}`;

export interface SearchQuery {
  readonly center: string;
  readonly search_radius: string;
  readonly limit: string;
}

/** The filters that a search supports. */
export const searchFilters = (filters: Filters): object =>
  Object.fromEntries(SEARCH_FILTERS.flatMap((name) => (filters[name] ? [[name, filters[name]]] : [])));

/** The filters that an export of the nodes of all operators supports. */
export const exportFilters = ({ available_until: _unsupported, ...filters }: Filters): object => searchFilters(filters);

/** Passes the text on unchecked: the service rejects text that is not a number. */
export const searchNodes = ({ coverage }: FibreClient, query: SearchQuery, filters: Filters, signal: AbortSignal) =>
  coverage.search({ ...query, ...searchFilters(filters) } as unknown as Query, { signal });

/** The relations of all operators, by operator and id; few enough to be read once. */
export async function relationsBehindNodes(
  { coverage }: FibreClient,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, PublishedRelation>> {
  const relations = new Map<string, PublishedRelation>();
  for await (const relation of coverage.publishedRelations.list({ _page_size: LARGEST_PAGE }, { signal }))
    relations.set(`${relation.tenant} ${relation.relation_id}`, relation);
  return relations;
}

/** A relation's nodes are counted exactly up to this number (docs/api-design.md). */
const EXACT_OF_RELATION = 100_000;
/** @param exact up to which number the service counts */
export const nodeCount = (count: number, exact = EXACT_OF_RELATION) => ({ count, estimated: count > exact, exact });

/** A relation's nodes; the relation need not have been created, because nodes may name any id. */
export type RelationNodes = Readonly<Record<Collection, ReturnType<typeof nodeCount>>> & {
  readonly relation_id: string;
  readonly name?: string;
};

export async function relationNodes(fibre: FibreClient, relation_id: string, signal: AbortSignal): Promise<RelationNodes> {
  const relation = await orNone(fibre.coverage.relations.read(relation_id, { signal }));
  if (relation) return { relation_id, name: relation.name, prenodes: nodeCount(relation.prenodes), nodes: nodeCount(relation.nodes) };
  const count = async (target: Collection) =>
    nodeCount(await totalOf((query) => fibre.coverage.nodes.list({ relation_id, target, ...query }, { signal })), EXACT);
  return { relation_id, prenodes: await count('prenodes'), nodes: await count('nodes') };
}

/** With more nodes than this, comparing references would take too many requests. */
const MOST_COMPARED = 20_000;

/** What a merge would do with the pre-production nodes of a relation: how many it would add to production, write over one there, or drop. */
export interface MergePreview {
  readonly added: number;
  readonly changed: number;
  readonly equal: number;
}

/** Everything that a merge writes, as text. */
const fieldsOf = (node: AccessNode): string => JSON.stringify(NODE_FIELDS.map((field) => node[field]));

/** Compares a relation's collections the way a merge does; `undefined` if that would take too long. */
export async function previewMerge(fibre: FibreClient, relation: RelationNodes, signal: AbortSignal): Promise<MergePreview | undefined> {
  const { relation_id, prenodes, nodes } = relation;
  if (nodes.count === 0) return { added: prenodes.count, changed: 0, equal: 0 };
  if (prenodes.count + nodes.count > MOST_COMPARED) return undefined;
  const all = (target: Collection) => fibre.coverage.nodes.list({ relation_id, target, _page_size: LARGEST_PAGE }, { signal });
  const standing = new Map<string | undefined, string>();
  for await (const node of all('nodes')) standing.set(node.customer_reference, fieldsOf(node));
  standing.delete(undefined);
  const preview = { added: 0, changed: 0, equal: 0 };
  for await (const node of all('prenodes')) {
    const fields = standing.get(node.customer_reference);
    preview[fields === undefined ? 'added' : fields === fieldsOf(node) ? 'equal' : 'changed']++;
  }
  return preview;
}
