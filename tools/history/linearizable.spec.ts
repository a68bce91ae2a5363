import { isLinearizable, type Model } from './linearizable.js';

type Input = { write: number } | 'read';
const REGISTER: Model<number, Input, number> = {
  initial: 0,
  step(state, input, output) {
    if (input !== 'read') return input.write;
    return output === undefined || output === state ? state : undefined;
  },
};
const at = (start: number, end: number, input: Input, output?: number) => ({ start, end, input, output });

test.each([
  ['nothing', []],
  ['a read after a write', [at(0, 1, { write: 1 }), at(2, 3, 'read', 1)]],
  ['a read during a write, before or after', [at(0, 9, { write: 1 }), at(1, 2, 'read', 0), at(3, 4, 'read', 1)]],
  ['an unanswered write that happens later', [at(0, Infinity, { write: 1 }), at(1, 2, 'read', 0), at(8, 9, 'read', 1)]],
  ['an unanswered write that never happens', [at(0, Infinity, { write: 1 }), at(8, 9, 'read', 0)]],
])('%s is linearizable', (_title, operations) => expect(isLinearizable(operations, REGISTER)).toBe(true));

test.each([
  ['a stale read', [at(0, 1, { write: 1 }), at(2, 3, 'read', 0)]],
  ['a value that was never written', [at(0, 9, { write: 1 }), at(1, 2, 'read', 2)]],
  ['a value that disappears', [at(0, 9, { write: 1 }), at(1, 2, 'read', 1), at(3, 4, 'read', 0)]],
  ['an unanswered write that happens and is undone', [at(0, Infinity, { write: 1 }), at(1, 2, 'read', 1), at(3, 4, 'read', 0)]],
  ['an unanswered write that is read before it starts', [at(5, Infinity, { write: 1 }), at(1, 2, 'read', 1)]],
])('%s is not linearizable', (_title, operations) => expect(isLinearizable(operations, REGISTER)).toBe(false));
