import { cpus, totalmem } from 'node:os';

export const say = (text: string): void => void process.stdout.write(`${text}\n`);

/** A table as Markdown. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

export const verdict = (isMet: boolean): string => (isMet ? 'met' : '**missed**');

/** Describes the machine on which the bench runs. */
export const MACHINE = [
  `${new Date().toISOString().slice(0, 10)}; ${cpus()[0]?.model.trim() ?? 'unknown processor'}, ${cpus().length} cores for service, database and load`,
  `${Math.round(totalmem() / 1024 ** 3)} GB`,
  `Node.js ${process.versions.node}.`,
].join('; ');
