import { isLinearizable, type Operation } from './linearizable.js';
import { RELATION, type RelationAnswer, type RelationRequest } from './relation.js';

type Sent = Operation<RelationRequest, RelationAnswer>;
const node = (id: string) => ({ node_id: id, customer_reference: undefined, lot_id: id });
const create = (start: number, end: number, id: string): Sent => ({
  start,
  end,
  input: { do: 'create', target: 'prenodes', lot_id: id },
  output: { status: 201, nodes: [node(id)] },
});
const list = (start: number, target: string, ...ids: string[]): Sent => ({
  start,
  end: start + 1,
  input: { do: 'list', target },
  output: { status: 200, nodes: ids.map(node) },
});
const merge = (start: number, end: number, inserted: number, id = 0): Sent[] => [
  { start, end, input: { do: 'choose', merge: id } },
  { start, end, input: { do: 'merge', merge: id }, output: { status: 200, merged: { inserted, updated: 0 } } },
];

test.each<[string, Sent[]]>([
  ['a merge', [create(0, 1, 'a'), ...merge(2, 3, 1), list(4, 'nodes', 'a')]],
  [
    'a node that is listed beside those that a merge moves, and stays',
    [create(0, 1, 'a'), ...merge(2, 9, 1), create(3, 4, 'b'), list(5, 'prenodes', 'a', 'b'), list(10, 'prenodes', 'b')],
  ],
  ['two merges at once', [create(0, 1, 'a'), ...merge(2, 9, 1), ...merge(2, 9, 0, 1), list(10, 'nodes', 'a')]],
])('%s is linearizable', (_title, operations) => expect(isLinearizable(operations, RELATION)).toBe(true));

test.each<[string, Sent[]]>([
  ['a node that was there before a merge, and stays', [create(0, 1, 'a'), ...merge(2, 9, 0), list(10, 'prenodes', 'a')]],
  ['a node that two merges move', [create(0, 1, 'a'), ...merge(2, 9, 1), ...merge(2, 9, 1, 1)]],
  ['a node that moves before the other nodes of a merge', [create(0, 1, 'a'), create(0, 1, 'b'), ...merge(2, 9, 2), list(3, 'nodes', 'a')]],
])('%s is not linearizable', (_title, operations) => expect(isLinearizable(operations, RELATION)).toBe(false));
