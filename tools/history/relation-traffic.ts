import { randomUUID } from 'node:crypto';
import { type Kind, pick } from './kind.js';
import { RELATION, type RelationAnswer, type RelationRequest, type SeenNode } from './relation.js';
import { send } from './stack.js';

const NODES = '/v2/cov/nodes/';
let merges = 0;

export const RELATIONS: Kind<RelationRequest, RelationAnswer> = {
  model: RELATION,
  lists: [
    { do: 'list', target: 'prenodes' },
    { do: 'list', target: 'nodes' },
  ],
  firstStep: (input) => (input.do === 'merge' ? { ...input, do: 'choose' } : undefined),
  choose(_key, seen) {
    // The latest nodes, so that requests about the same node are concurrent.
    const known = seen.flatMap(({ nodes = [] }) => nodes).slice(-2);
    const action =
      known.length === 0
        ? 'create'
        : pick(['create', 'create', 'patch', 'patch', 'patch', 'read', 'read', 'read', 'read', 'delete', 'merge', 'list']);
    const target = pick(['prenodes', 'prenodes', 'nodes']);
    const lot_id = randomUUID();
    switch (action) {
      case 'create':
        return { do: action, target, customer_reference: pick([undefined, 'a', 'b']), lot_id };
      case 'patch': {
        const { node_id } = pick(known);
        const versions = seen.flatMap(({ nodes = [], etag }) => (etag !== undefined && nodes[0]?.node_id === node_id ? [etag] : []));
        return { do: action, node_id, lot_id, ifMatch: pick([undefined, versions.at(-1)]) };
      }
      case 'read':
      case 'delete':
        return { do: action, node_id: pick(known).node_id };
      case 'merge':
        return { do: action, merge: merges++ };
      default:
        return { do: 'list', target };
    }
  },
  request(relation_id, input, url, token) {
    switch (input.do) {
      case 'create': {
        const { target, customer_reference, lot_id } = input;
        const node = { relation_id, token: 'planned', center: '48.2, 16.3', customer_reference, lot_id };
        return send('POST', `${url}${NODES}?target=${target}`, token, node);
      }
      case 'patch': {
        const { node_id, lot_id, ifMatch } = input;
        return send('PATCH', `${url}${NODES}${node_id}/`, token, { lot_id }, ifMatch === undefined ? {} : { 'if-match': ifMatch });
      }
      case 'read':
        return send('GET', `${url}${NODES}${input.node_id}/`, token);
      case 'delete':
        return send('DELETE', `${url}${NODES}${input.node_id}/`, token);
      case 'choose':
      case 'merge':
        return send('PUT', `${url}${NODES}?relation_id=${relation_id}`, token);
      case 'list':
        return send('GET', `${url}${NODES}?relation_id=${relation_id}&target=${input.target}`, token);
    }
  },
  output(input, { status, etag, body }) {
    if (status >= 300 || input.do === 'delete') return { status };
    if (input.do === 'merge') {
      const { action } = body as { action: { count: number; merge_action: string }[] };
      const count = (kind: string): number => action.find(({ merge_action }) => merge_action === kind)?.count ?? 0;
      return { status, merged: { inserted: count('INSERT'), updated: count('UPDATE') } };
    }
    const nodes = (input.do === 'list' ? body : [body]) as SeenNode[];
    return { status, etag, nodes: nodes.map(({ node_id, customer_reference, lot_id }) => ({ node_id, customer_reference, lot_id })) };
  },
  idsOf: ({ nodes = [] }) => nodes.map(({ node_id }) => node_id),
};
