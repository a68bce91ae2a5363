/**
 * Does each kind of work in turn, so that other load affects all equally. The first turns are not counted.
 *
 * @param works called with the number of the turn
 * @returns the milliseconds of each kind
 */
export async function timeInTurn(works: readonly ((turn: number) => Promise<unknown>)[], count: number, warmUp = 0): Promise<number[][]> {
  const times = works.map((): number[] => []);
  for (let turn = 0; turn < warmUp + count; turn++) {
    for (const [index, work] of works.entries()) {
      const began = performance.now();
      await work(turn);
      if (turn >= warmUp) times[index]!.push(performance.now() - began);
    }
  }
  return times;
}

/** The time within which this share of the work was done. */
export const part = (times: readonly number[], share: number): number =>
  times.toSorted((a, b) => a - b)[Math.ceil(times.length * share) - 1]!;
