import { createHash } from 'node:crypto';

/** One SQL statement with its values bound. */
export interface Statement {
  /** What it is called in traces, and how the name of its prepared statement begins; empty for one that is not prepared. At most 50 bytes. */
  name: string;
  /** SQL with `$1`, `$2` ... in the place of values. */
  text: string;
  values: unknown[];
}

/** Runs one statement and gives its rows, with the column names of the statement as keys. */
export type Run = <Row extends object = Record<string, unknown>>(statement: Statement) => Promise<Row[]>;

/** A statement whose text is put together: one label, several texts. */
export const statementOf = (label: string, text: string, values: unknown[]): Statement => ({ name: label, text, values });

/** Texts of one label that are prepared: a connection keeps each of them until it closes, and filters make hundreds of texts. */
const PREPARED_TEXTS = 4;
const names = new Map<string, Map<string, string>>();

/**
 * The name under which a statement is prepared: its label and a hash of its text, so no name can mean another text, on whatever connection a
 * pooler runs it. Of one label only the texts that this process has met first have one; the others are parsed each time.
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
