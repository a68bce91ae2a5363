import { median } from './rounds.js';

/** Milliseconds that some work takes. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const begin = performance.now();
  await work();
  return performance.now() - begin;
}

/** A row of a table: of two times, the speed of the first beside the second. */
export function row(title: string, first: readonly number[], second: readonly number[], goal?: number): string[] {
  const ratio = median(first.map((ms, index) => second[index]! / ms));
  const shown = (ms: readonly number[]): string => `${(median(ms) / 1_000).toFixed(2)} s`;
  return line(
    title,
    shown(first),
    shown(second),
    ratio.toFixed(2),
    goal === undefined ? '' : `at least ${goal}`,
    goal === undefined ? undefined : ratio >= goal,
  );
}

/** A row of a table, which is printed as well. */
export function line(title: string, first: string, second: string, ratio: string, goal: string, met: boolean | undefined): string[] {
  const cells = [title, first, second, ratio, goal, met === undefined ? '' : met ? 'met' : '**missed**'];
  process.stdout.write(`${cells.join(' | ')}\n`);
  return cells;
}
