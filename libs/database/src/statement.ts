import { createHash } from 'node:crypto';

/** One SQL statement with its values bound. */
export interface Statement {
  /**
   * Names the prepared statement on each connection: one name, one text, for the whole service (pg refuses a second
   * text). At most 63 bytes.
   */
  name: string;
  /** SQL with `$1`, `$2` ... in the place of values. */
  text: string;
  values: unknown[];
}

/** Runs one statement and gives its rows, with the column names of the statement as keys. */
export type Run = <Row extends object = Record<string, unknown>>(statement: Statement) => Promise<Row[]>;

/** A statement whose text is put together: each text has a name of its own, which begins with `label`. */
export const statementOf = (label: string, text: string, values: unknown[]): Statement => ({
  name: `${label}-${createHash('sha1').update(text).digest('hex').slice(0, 12)}`,
  text,
  values,
});
