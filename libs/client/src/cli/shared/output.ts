import { type InvalidPart, type OnProgress } from '../../index.js';
import { type Context } from './command.js';

/** Writes to stdout. @returns false once nobody reads stdout; a list then stops, but other work continues */
export function print({ stdout }: Context, text: string): Promise<boolean> {
  return new Promise((resolve, reject) =>
    stdout.write(`${text}\n`, (error) => (error && (error as NodeJS.ErrnoException).code !== 'EPIPE' ? reject(error) : resolve(!error))),
  );
}

/** Writes one JSON document per line. */
export const printJson = (context: Context, record: unknown): Promise<boolean> => print(context, JSON.stringify(record));

/**
 * Writes records as one JSON document per line, or as a table.
 *
 * @param rows what the table shows of the records
 * @returns false once nobody reads stdout
 */
export async function printRecords(
  context: Context,
  records: readonly object[],
  { json }: { json?: boolean },
  columns: readonly string[],
  rows = records,
): Promise<boolean> {
  if (records.length === 0) return true;
  return print(context, json ? records.map((record) => JSON.stringify(record)).join('\n') : table(rows, columns));
}

export function complain({ stderr }: Context, text: string): void {
  stderr.write(`fibre: ${text.split('\n').map(harmless).join('\n')}\n`);
}

/** Where the error is in the request or file, and what is wrong. */
export function fault({ pointer, parameter, line, feature, column, detail }: InvalidPart): string {
  const row = line === undefined ? feature && `feature ${feature}` : `line ${line}`;
  return [[pointer, parameter, row, column].filter(Boolean).join(', '), detail].filter(Boolean).join(': ');
}

/** Records as aligned columns with headings; a column without values is omitted. */
export function table(records: readonly object[], names: readonly string[]): string {
  const cells = records.map((record) => names.map((name) => cell((record as Record<string, unknown>)[name])));
  const rows = [names.map(String), ...cells];
  const shown = names.flatMap((_, i) => (cells.some((row) => row[i] !== '') ? [i] : []));
  // `Math.max` with the lengths as its arguments fails if there are very many rows.
  const widths = names.map((_, i) => rows.reduce((most, row) => Math.max(most, row[i]!.length), 0));
  const padded = rows.map((row) => shown.map((i) => row[i]!.padEnd(widths[i]!)).join('  '));
  return padded.map((line) => line.trimEnd()).join('\n');
}

function cell(value: unknown): string {
  return value === undefined ? '' : harmless(typeof value === 'string' ? value : JSON.stringify(value));
}

/** Escapes control characters: text that other users wrote must not control the terminal. */
function harmless(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]/gu, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

const REDRAWN_EVERY_MS = 100;

/** Shows the progress of a file transfer on stderr, if stderr is a terminal. */
export class ProgressBar {
  private drawnAt = 0;
  private isOver = false;

  constructor(
    private readonly stderr: Context['stderr'],
    private readonly what: string,
  ) {}

  readonly show: OnProgress = ({ bytes, total }) => {
    const isWhole = bytes === total;
    if (this.isOver || !this.stderr.isTTY || (!isWhole && Date.now() - this.drawnAt < REDRAWN_EVERY_MS)) return;
    this.drawnAt = Date.now();
    this.stderr.write(`\r\x1b[2K${this.what} ${progressLine(bytes, total)}${isWhole ? ', waiting for the response' : ''}`);
  };

  /** Removes the bar for good: nothing is drawn after this, even if data is still being transferred. */
  clear(): void {
    this.isOver = true;
    if (this.drawnAt > 0) this.stderr.write('\r\x1b[2K');
  }
}

function progressLine(bytes: number, total?: number): string {
  return total ? `${Math.floor(Math.min(1, bytes / total) * 100)} % of ${megabytes(total)}` : megabytes(bytes);
}

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;
