import type { Statement } from './statement.js';

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
export const sql = (texts: TemplateStringsArray, ...inserted: unknown[]): Sql =>
  new Sql(texts.flatMap((text, index) => (index === 0 ? [text] : [partOf(inserted[index - 1], text), text])));

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
    const write = (part: Part): string => {
      if (typeof part === 'string') return part;
      if (part instanceof Sql) return part.parts.map(write).join('');
      if (!numbers.has(part)) numbers.set(part, numbers.size + 1);
      return `$${numbers.get(part)}`;
    };
    return { name: label, text: write(sql(...text)), values: [...numbers.keys()].map(({ value }) => value) };
  };
