import { cpus, totalmem } from 'node:os';
import type { Comparison, Measured } from './load.js';

export const say = (text: string): void => void process.stdout.write(`${text}\n`);

/** A table as Markdown. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

export const GOAL_HEAD = ['', 'Measured', 'Compared with', 'Ratio', 'Goal', ''];
const verdict = (isMet: boolean): string => (isMet ? 'met' : '**missed**');

/** Prints and returns a row of a table with {@link GOAL_HEAD}. */
export function goalRow(title: string, measured: string, beside: string, ratio: number, atMost: number): string[] {
  const row = [title, measured, beside, ratio.toFixed(2), `at most ${atMost}`, verdict(ratio <= atMost)];
  say(row.join(' | '));
  return row;
}

/** Throughput of a service and the bare handler, by scenario. */
export function comparisonTable(results: readonly Comparison[]): string {
  const speed = ({ perSecond, megabytesPerSecond }: Measured): string =>
    `${perSecond.toFixed(perSecond < 1_000 ? 1 : 0)}/s${megabytesPerSecond < 10 ? '' : `, ${Math.round(megabytesPerSecond)} MB/s`}`;
  const rows = results.map(({ title, ratio, range, atLeast, ...sides }) => [
    ...[title, speed(sides.first), speed(sides.second)],
    `${ratio.toFixed(2)} (${range.map((value) => value.toFixed(2)).join(' to ')})`,
    ...[`at least ${atLeast}`, verdict(ratio >= atLeast)],
  ]);
  return table(['Scenario', 'Service', 'Bare handler', 'Ratio', 'Goal', ''], rows);
}

/** Describes the machine on which the bench ran. */
export const machine = (postgres: string): string =>
  [
    `${new Date().toISOString().slice(0, 10)}; ${cpus()[0]?.model.trim() ?? 'unknown processor'}, ${cpus().length} cores for service, database and load`,
    `${Math.round(totalmem() / 1024 ** 3)} GB`,
    `Node.js ${process.versions.node}`,
    `PostgreSQL ${postgres}.`,
  ].join('; ');
