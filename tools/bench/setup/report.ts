import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { WORKSPACE } from '../../workspace.js';
import type { Comparison, Measured } from './load.js';

/** The file that contains all tables of the bench. */
const APPENDIX = join(WORKSPACE, 'docs/benchmark-tables.md');

export const say = (text: string): void => void process.stdout.write(`${text}\n`);

/** A table as Markdown. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

export const GOAL_HEAD = ['', 'Measured', 'Compared with', 'Ratio', 'Goal', ''];
const verdict = (isMet: boolean): string => (isMet ? 'met' : '**missed**');

/** Prints and returns a row of a table with {@link GOAL_HEAD}. */
export function goalRow(
  title: string,
  measured: string,
  beside: string,
  ratio: number,
  goal: { atLeast: number } | { atMost: number },
): string[] {
  const [words, isMet] =
    'atLeast' in goal ? [`at least ${goal.atLeast}`, ratio >= goal.atLeast] : [`at most ${goal.atMost}`, ratio <= goal.atMost];
  const row = [title, measured, beside, ratio.toFixed(2), words, verdict(isMet)];
  say(row.join(' | '));
  return row;
}

/** Throughput and response times of a service and the bare handler, by scenario. */
export function comparisonTables(results: readonly Comparison[]): string {
  const speed = ({ perSecond, megabytesPerSecond }: Measured): string =>
    `${perSecond.toFixed(perSecond < 1_000 ? 1 : 0)}/s${megabytesPerSecond < 10 ? '' : `, ${Math.round(megabytesPerSecond)} MB/s`}`;
  const speeds = results.map(({ title, ratio, range, atLeast, ...sides }) => [
    ...[title, speed(sides.first), speed(sides.second)],
    `${ratio.toFixed(2)} (${range.map((value) => value.toFixed(2)).join(' to ')})`,
    ...[`at least ${atLeast}`, verdict(ratio >= atLeast)],
  ]);
  const times = results.map(({ title, connections, ...sides }) => [
    ...[title, String(connections)],
    ...[sides.first, sides.second].map(({ p50, p99, cpuMs }) => `${p50} / ${p99} ms, ${cpuMs.toFixed(2)} ms`),
  ]);
  return [
    table(['Scenario', 'Service', 'Bare handler', 'Ratio', 'Goal', ''], speeds),
    table(['Scenario', 'Connections', 'Service: p50 / p99, CPU per request', 'Bare handler: p50 / p99, CPU per request'], times),
  ].join('\n\n');
}

/** Describes the machine on which the bench ran. */
export const machine = (postgres: string): string =>
  [
    `${new Date().toISOString().slice(0, 10)}; ${cpus()[0]?.model.trim() ?? 'unknown processor'}, ${cpus().length} cores for service, database and load`,
    `${Math.round(totalmem() / 1024 ** 3)} GB`,
    `Node.js ${process.versions.node}`,
    `PostgreSQL ${postgres}.`,
  ].join('; ');

/** Prints a section and writes it to the appendix, between the markers with its name. */
export function writeSection(name: string, text: string): void {
  say(`\n${text}\n`);
  const [begin, end] = [`<!-- written by npm run bench: ${name} -->`, `<!-- end of ${name} -->`];
  const document = existsSync(APPENDIX) ? readFileSync(APPENDIX, 'utf8') : '';
  const [from, to] = [document.indexOf(begin), document.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`${APPENDIX} needs the lines ${begin} and ${end}`);
  writeFileSync(APPENDIX, `${document.slice(0, from + begin.length)}\n\n${text}\n\n${document.slice(to)}`);
}
