/** A member of a JSON object that is built in SQL. */
export interface JsonMember {
  readonly name: string;
  /** SQL expression of type text, or one that `||` can convert to text. */
  readonly sql: string;
  /**
   * `text` is escaped. `plain` needs no escaping (UUIDs, numbers as text, values from a fixed list, timestamps). `json` is text that
   * is already JSON.
   */
  readonly as: 'text' | 'plain' | 'json';
  /** Whether the member is omitted if the expression is null. */
  readonly optional?: boolean;
}

/**
 * SQL expression for a JSON object as text, with members in this order. Never null, even for a null row.
 *
 * Uses one call of `format`, which treats null as empty, instead of a chain of `||`: a Citus worker receives the expression with every
 * statement and would have to resolve each operator again.
 */
export function jsonObjectText(members: readonly JsonMember[]): string {
  const [first, ...others] = members;
  if (!first || first.optional) throw new Error('the first member of a JSON object in SQL must not be optional');
  const parts = [formatMember(first, ''), ...others.map((member) => formatMember(member, ','))];
  return `format('{${parts.map(({ template }) => template).join('')}}', ${parts.map(({ value }) => value).join(', ')})`;
}

function formatMember({ name, sql, as, optional }: JsonMember, separator: string): { template: string; value: string } {
  const [key, quote] = [`${separator}"${name}":`, as === 'plain' ? '"' : ''];
  const value = as === 'text' ? `to_json(${sql})::text` : sql;
  if (!optional) return { template: `${key}${quote}%s${quote}`, value };
  const text = [`'${key}${quote}'`, value, ...(quote ? [`'${quote}'`] : [])].join(' || ');
  return { template: '%s', value: text };
}

/** SQL expression for a timestamp in the format of the APIs: UTC, milliseconds, numeric offset. */
export const timestampText = (sql: string): string => `to_char(${sql} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"')`;
