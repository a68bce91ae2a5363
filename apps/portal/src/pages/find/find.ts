import { type AccessNode, COLLECTIONS, type FibreClient, type Isp, type Listing, type Relation } from '@fibre/client';
import { orNone } from '../../api/refusal.js';
import type { Scope } from '../../configuration.js';

export interface Found {
  readonly kind: 'relation' | 'isp' | 'entity' | 'accessNode';
  readonly name: string;
  /** Path of the record's page. */
  readonly path: string;
}

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
/** Maximum number of matching records to show; the lists have the rest. */
const MOST = 20;

/** Finds the records whose id, name or reference is this text, among those that the person may read. */
export async function find(fibre: FibreClient, scopes: ReadonlySet<Scope>, text: string, signal: AbortSignal): Promise<Found[]> {
  const found = await Promise.all([
    ...(scopes.has('coverage:read') ? (UUID.test(text) ? nodesById : nodesByText)(fibre, text, signal) : []),
    ...(scopes.has('events:read') ? (UUID.test(text) ? entitiesById : entitiesByText)(fibre, text, signal) : []),
  ]);
  return found.flat();
}

type Lookup = (fibre: FibreClient, text: string, signal: AbortSignal) => readonly PromiseLike<Found[]>[];

const relation = ({ relation_id, name }: Relation): Found => ({ kind: 'relation', name, path: `relations/${relation_id}` });
const isp = ({ partner_id, name }: Isp): Found => ({ kind: 'isp', name, path: `isps/${partner_id}` });
const entity = ({ entity_id }: { entity_id: string }): Found => ({ kind: 'entity', name: entity_id, path: `entities/${entity_id}` });
const accessNode = ({ node_id, center, collection }: AccessNode): Found => ({
  kind: 'accessNode',
  name: center,
  path: `coverage?target=${collection}&node=${node_id}`,
});

const one = <R>(call: PromiseLike<R>, found: (record: R) => Found): PromiseLike<Found[]> =>
  orNone(call).then((record) => (record ? [found(record)] : []));
const some = <R>(listing: Listing<R>, found: (record: R) => Found): PromiseLike<Found[]> => listing.then(({ items }) => items.map(found));

const nodesById: Lookup = ({ coverage: { nodes, relations } }, id, signal) => [
  one(relations.read(id, { signal }), relation),
  one(nodes.read(id, { signal }), accessNode),
];

const nodesByText: Lookup = ({ coverage: { nodes, relations } }, text, signal) => [
  some(relations.list({ name: text }, { signal }), relation),
  ...COLLECTIONS.flatMap((target) =>
    ['customer_reference', 'address_id'].map((field) =>
      some(nodes.list({ target, [field]: text, _page_size: MOST }, { signal }), accessNode),
    ),
  ),
];

const entitiesById: Lookup = ({ entities, events, isps }, id, signal) => [
  one(isps.read(id, { signal }), isp),
  one(entities.read(id, { signal }), entity),
  one(events.read(id, { signal }), entity),
];

const entitiesByText: Lookup = ({ entities, isps }, text, signal) => [
  some(isps.list({ name: text }, { signal }), isp),
  some(entities.list({ option82: text, _page_size: MOST }, { signal }), entity),
];
