import { createHash } from 'node:crypto';

/** One SQL statement with its values. */
export interface Statement {
  /** Name in traces and prefix of the prepared statement's name; empty for a statement that is not prepared. At most 50 bytes. */
  name: string;
  /** SQL with `$1`, `$2` ... for the values. */
  text: string;
  values: unknown[];
}

/** Runs one statement and returns its rows by column name. */
export type Run = <Row extends object = Record<string, unknown>>(statement: Statement) => Promise<Row[]>;

/** Maximum number of prepared texts per label: a connection keeps each of them until it closes, and filters produce hundreds of texts. */
const PREPARED_TEXTS = 4;
const names = new Map<string, Map<string, string>>();

/**
 * The name of a prepared statement: its label and a hash of its text, so that a name means the same text on every connection of a pooler.
 * In each process, only the first few texts with the same label get a name; further texts are parsed each time.
 */
export function preparedName({ name: label, text }: Statement): string | undefined {
  if (label === '') return undefined;
  const ofLabel = names.get(label) ?? new Map<string, string>();
  names.set(label, ofLabel);
  if (!ofLabel.has(text) && ofLabel.size < PREPARED_TEXTS) {
    ofLabel.set(text, `${label}-${createHash('sha256').update(text).digest('hex').slice(0, 12)}`);
  }
  return ofLabel.get(text);
}
