import { COLLECTIONS, type FibreClient } from '@fibre/client';
import { orNone } from '../../api/refusal.js';
import type { Scope } from '../../configuration.js';

export type Kind = 'relation' | 'isp' | 'entity' | 'accessNode';

export interface Found {
  readonly kind: Kind;
  readonly name: string;
  /** Of its page. */
  readonly path: string;
}

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
/** Of records that share a text; the lists have the others. */
const MOST = 20;

/** What has a text as its id, its name or its reference, of all that the person may read. */
export async function find(fibre: FibreClient, scopes: ReadonlySet<Scope>, text: string, signal: AbortSignal): Promise<Found[]> {
  const found = await Promise.all([
    ...(scopes.has('coverage:read') ? (UUID.test(text) ? nodesById : nodesByText)(fibre, text, signal) : []),
    ...(scopes.has('events:read') ? (UUID.test(text) ? entitiesById : entitiesByText)(fibre, text, signal) : []),
  ]);
  return found.flat();
}

type Lookup = (fibre: FibreClient, text: string, signal: AbortSignal) => readonly PromiseLike<Found[]>[];

const nodePath = (node_id: string, target: string): string => `coverage?target=${target}&node=${node_id}`;

const nodesById: Lookup = ({ coverage: { nodes, relations } }, id, signal) => [
  orNone(relations.read(id, { signal })).then((one) => (one ? [{ kind: 'relation', name: one.name, path: `relations/${id}` }] : [])),
  orNone(nodes.read(id, { signal })).then((one) =>
    one ? [{ kind: 'accessNode', name: one.center, path: nodePath(id, one.collection) }] : [],
  ),
];

const nodesByText: Lookup = ({ coverage: { nodes, relations } }, text, signal) => [
  relations
    .list({ name: text }, { signal })
    .then(({ items }) => items.map(({ name, relation_id }) => ({ kind: 'relation', name, path: `relations/${relation_id}` }))),
  ...COLLECTIONS.flatMap((target) =>
    (['customer_reference', 'address_id'] as const).map((field) =>
      nodes
        .list({ target, [field]: text, _page_size: MOST }, { signal })
        .then(({ items }) =>
          items.map(({ node_id, center }) => ({ kind: 'accessNode' as const, name: center, path: nodePath(node_id, target) })),
        ),
    ),
  ),
];

const entitiesById: Lookup = ({ entities, events, isps }, id, signal) => [
  orNone(isps.read(id, { signal })).then((one) => (one ? [{ kind: 'isp', name: one.name, path: `isps/${id}` }] : [])),
  orNone(entities.read(id, { signal })).then((one) => (one ? [{ kind: 'entity', name: id, path: `entities/${id}` }] : [])),
  orNone(events.read(id, { signal })).then((one) =>
    one ? [{ kind: 'entity', name: one.entity_id, path: `entities/${one.entity_id}` }] : [],
  ),
];

const entitiesByText: Lookup = ({ entities, isps }, text, signal) => [
  isps
    .list({ name: text }, { signal })
    .then(({ items }) => items.map(({ name, partner_id }) => ({ kind: 'isp', name, path: `isps/${partner_id}` }))),
  entities
    .list({ option82: text, _page_size: MOST }, { signal })
    .then(({ items }) => items.map(({ entity_id }) => ({ kind: 'entity', name: entity_id, path: `entities/${entity_id}` }))),
];
