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

/** A value that a statement sends beside its text. */
class Bound {
  constructor(readonly value: unknown) {}
}

type Part = string | Bound | Sql;

/** Part of a statement, with the values that it binds. A statement binds them once, however often it contains the part. */
export class Sql {
  /** @param parts made by {@link sql}, {@link raw} and {@link join} */
  constructor(readonly parts: readonly Part[]) {}
}

/** SQL in which `${part}` is more SQL, `${undefined}` is nothing, and any other `${value}` is bound: it never becomes part of the text. */
export function sql(texts: TemplateStringsArray, ...inserted: unknown[]): Sql {
  const parts: Part[] = [texts[0]!];
  for (const [index, value] of inserted.entries()) {
    const after = texts[index + 1]!;
    parts.push(partOf(value, after), after);
  }
  return new Sql(parts);
}

function partOf(inserted: unknown, after: string): Part {
  if (inserted instanceof Sql) return inserted;
  if (inserted !== undefined) return new Bound(inserted);
  if (after.startsWith('::'))
    throw new TypeError(`Nothing is cast in "${after}". Bind a value that may be missing with bound() or as null.`);
  return '';
}

/** A value as a part of its own, so that several parts of a statement share one number for it. `undefined` is sent as null. */
export const bound = (value: unknown): Sql => new Sql([new Bound(value)]);

/** A constant as text; never anything that a client has sent. */
export const raw = (constant: string | number): Sql => new Sql([String(constant)]);

/** The parts that are present, with a constant between them. */
export const join = (parts: readonly (Sql | undefined)[], separator: string): Sql =>
  new Sql(parts.filter((part) => part !== undefined).flatMap((part, index) => (index === 0 ? [part] : [separator, part])));

/** A part for a value, if there is one. */
export const given = <Value>(value: Value | undefined, part: (value: Value) => Sql): Sql | undefined =>
  value === undefined ? undefined : part(value);

/** Makes a statement, statement('label')`select ${value}`, whose values are numbered in the order of their first use. See {@link Statement}. */
export const statement =
  (label: string) =>
  (...text: Parameters<typeof sql>): Statement => {
    const numbers = new Map<Bound, number>();
    let written = '';
    const write = (part: Part): void => {
      if (typeof part === 'string') written += part;
      else if (part instanceof Sql) part.parts.forEach(write);
      else {
        if (!numbers.has(part)) numbers.set(part, numbers.size + 1);
        written += `$${numbers.get(part)}`;
      }
    };
    write(sql(...text));
    return { name: label, text: written, values: [...numbers.keys()].map(({ value }) => value) };
  };
