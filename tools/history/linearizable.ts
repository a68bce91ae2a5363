/** A request and its answer. Times are in milliseconds. */
export interface Operation<Input, Output> {
  readonly input: Input;
  readonly start: number;
  /** When the answer arrived; infinite if nobody knows whether the request had its effect. */
  readonly end: number;
  readonly output?: Output;
}

export interface Model<State, Input, Output> {
  readonly initial: State;
  /** The state after the operation, or undefined if it cannot have had this output in this state. Without an output, any is possible. */
  step(state: State, input: Input, output: Output | undefined): State | undefined;
}

const MAX_OPERATIONS = 60;

/**
 * Whether the operations could have happened one after another, each at some time between its start and its end, with these outputs
 * (Wing and Gong 1993, with the memo of Lowe 2017). An operation without an answer may have happened at any time after its start, or never.
 * The memo makes a short history cheap: a key has about 30 operations, and a state is compared as JSON.
 */
export function isLinearizable<State, Input, Output>(
  operations: readonly Operation<Input, Output>[],
  model: Model<State, Input, Output>,
): boolean {
  if (operations.length > MAX_OPERATIONS) throw new Error(`${operations.length} operations are too many to check`);
  const answered = operations.reduce((bits, { end }, index) => (end < Infinity ? bits | bitOf(index) : bits), 0n);
  const failed = new Set<string>();
  const search = (done: bigint, state: State): boolean => {
    if ((done & answered) === answered) return true;
    const place = `${done} ${JSON.stringify(state)}`;
    if (failed.has(place)) return false;
    const open = operations.map((operation, index) => ({ ...operation, bit: bitOf(index) })).filter(({ bit }) => (done & bit) === 0n);
    const firstEnd = Math.min(...open.map(({ end }) => end));
    for (const { bit, start, input, output } of open) {
      if (start > firstEnd) continue;
      const next = model.step(state, input, output);
      if (next !== undefined && search(done | bit, next)) return true;
    }
    failed.add(place);
    return false;
  };
  return search(0n, model.initial);
}

const bitOf = (index: number): bigint => 1n << BigInt(index);
