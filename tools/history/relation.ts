import type { Model } from './linearizable.js';

/** Requests about the nodes of one relation. Each `lot_id` is sent only once, so it says which request wrote it. */
export type RelationRequest =
  | { readonly do: 'create'; readonly target: string; readonly customer_reference?: string; readonly lot_id: string }
  | { readonly do: 'patch'; readonly node_id: string; readonly lot_id: string; readonly ifMatch?: string }
  | { readonly do: 'read'; readonly node_id: string }
  | { readonly do: 'delete'; readonly node_id: string }
  | { readonly do: 'choose'; readonly merge: number }
  | { readonly do: 'merge'; readonly merge: number }
  | { readonly do: 'list'; readonly target: string };

export interface SeenNode {
  readonly node_id: string;
  readonly customer_reference?: string;
  readonly lot_id: string;
}

export interface RelationAnswer {
  readonly status: number;
  readonly etag?: string;
  readonly nodes?: readonly SeenNode[];
  /** Of a merge: numbers of nodes that were moved and that replaced another. */
  readonly merged?: { readonly inserted: number; readonly updated: number };
}

/** A node as far as the model knows it. The responses that named its id and version may have been lost. */
interface Stored {
  readonly node_id?: string;
  readonly target: string;
  readonly customer_reference?: string;
  readonly lot_id: string;
  readonly etag?: string;
  /** The merge that is under way is going to move it. */
  readonly isChosen?: boolean;
}

type Nodes = readonly Stored[];

/** The nodes of the relation in order of creation, and the merge that is between its two steps. */
interface State {
  readonly nodes: Nodes;
  readonly merge?: number;
}

/**
 * The rules of SPEC section 2, as a sequential program. Only a merge has two steps: it chooses the nodes that are there, and moves them.
 * Between the two, other requests may happen, but no other merge: merges of a relation wait for each other.
 */
export const RELATION: Model<State, RelationRequest, RelationAnswer> = {
  initial: { nodes: [] },
  step({ nodes, merge }, request, answer) {
    if (request.do === 'choose') {
      if (merge !== undefined) return undefined;
      return { merge: request.merge, nodes: nodes.map((node) => (node.target === 'prenodes' ? { ...node, isChosen: true } : node)) };
    }
    if (request.do === 'merge') return merge === request.merge ? moved(nodes, answer) : undefined;
    const next = withoutMerge(nodes, request, answer);
    return next && { nodes: next, merge };
  },
};

type OneStep = Exclude<RelationRequest, { do: 'choose' | 'merge' }>;

function withoutMerge(nodes: Nodes, request: OneStep, answer: RelationAnswer | undefined): Nodes | undefined {
  if ('node_id' in request) return change(nodes, request, answer);
  switch (request.do) {
    case 'create': {
      const { target, customer_reference, lot_id } = request;
      const isTaken =
        customer_reference !== undefined && nodes.some((node) => node.target === target && node.customer_reference === customer_reference);
      if (isTaken) return hasStatus(answer, 409) ? nodes : undefined;
      const node_id = answer?.nodes?.[0]?.node_id;
      return hasStatus(answer, 201) ? [...nodes, { node_id, target, customer_reference, lot_id, etag: answer?.etag }] : undefined;
    }
    case 'list': {
      const { target } = request;
      const seen = answer?.nodes;
      if (!seen) return nodes;
      const there = nodes.filter((node) => node.target === target);
      if (there.length !== seen.length) return undefined;
      const seenOf = (node: Stored): SeenNode | undefined => seen.find(({ lot_id }) => lot_id === node.lot_id);
      const bound = there.map((node) => bind(node, seenOf(node)));
      if (bound.includes(undefined)) return undefined;
      return nodes.map((node) => (node.target === target ? bound[there.indexOf(node)]! : node));
    }
  }
}

/** Without an answer, the request had its effect if it could. */
const hasStatus = (answer: RelationAnswer | undefined, status: number): boolean => answer === undefined || answer.status === status;

function bind(node: Stored, seen: SeenNode | undefined, etag = node.etag): Stored | undefined {
  if (!seen || (node.node_id ?? seen.node_id) !== seen.node_id || node.customer_reference !== seen.customer_reference) return undefined;
  return { ...node, node_id: seen.node_id, etag };
}

function change(
  nodes: Nodes,
  request: Extract<RelationRequest, { node_id: string }>,
  answer: RelationAnswer | undefined,
): Nodes | undefined {
  const index = nodes.findIndex(({ node_id }) => node_id === request.node_id);
  const node = nodes[index];
  if (!node) return hasStatus(answer, 404) ? nodes : undefined;
  if (request.do === 'delete') return hasStatus(answer, 204) ? nodes.toSpliced(index, 1) : undefined;
  // A version that the model doesn't know is of a write whose response was lost, so nobody can have sent it.
  if (request.do === 'patch' && request.ifMatch !== undefined && request.ifMatch !== node.etag)
    return hasStatus(answer, 412) ? nodes : undefined;
  if (!hasStatus(answer, 200)) return undefined;
  const lot_id = request.do === 'patch' ? request.lot_id : node.lot_id;
  if (!answer) return nodes.with(index, request.do === 'patch' ? { ...node, lot_id, etag: undefined } : node);
  const isOld = request.do === 'read' && node.etag !== undefined && node.etag !== answer.etag;
  const bound = bind(node, answer.nodes![0], answer.etag);
  return !bound || isOld || answer.nodes![0]!.lot_id !== lot_id ? undefined : nodes.with(index, { ...bound, lot_id });
}

function moved(nodes: Nodes, answer: RelationAnswer | undefined): State | undefined {
  const production = nodes.filter(({ target }) => target === 'nodes');
  let [inserted, updated] = [0, 0];
  for (const { etag: _etag, isChosen: _isChosen, ...node } of nodes.filter(({ isChosen }) => isChosen)) {
    const same = production.findIndex(
      ({ customer_reference }) => customer_reference !== undefined && customer_reference === node.customer_reference,
    );
    if (same < 0) {
      inserted++;
      production.push({ ...node, target: 'nodes' });
    } else {
      updated++;
      production[same] = { ...production[same]!, lot_id: node.lot_id, etag: undefined };
    }
  }
  const said = answer?.merged;
  if (answer && (answer.status !== 200 || said?.inserted !== inserted || said.updated !== updated)) return undefined;
  return { nodes: [...production, ...nodes.filter(({ target, isChosen }) => target === 'prenodes' && !isChosen)] };
}
