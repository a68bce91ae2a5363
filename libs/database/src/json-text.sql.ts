/** One member of a JSON object that SQL writes. */
export interface JsonMember {
  readonly name: string;
  /** SQL expression of type text (or one that `||` makes text of). */
  readonly sql: string;
  /** `text` is escaped; `plain` is known to need none (UUIDs, numbers as text, closed lists, timestamps); `json` is JSON already. */
  readonly as: 'text' | 'plain' | 'json';
  /** Whether the member is left out when the expression is null. */
  readonly optional?: boolean;
}

/**
 * SQL expression for a JSON object as text, members in the order given.
 *
 * Why not `json_agg`: concatenation takes 6.7 ms for a page of 2,000 access nodes, `json_agg(row)` 11.5 ms, and
 * 16.5 ms once `json_strip_nulls` has removed the members that are null.
 */
export function jsonObjectText(members: readonly JsonMember[]): string {
  const [first, ...others] = members;
  if (!first || first.optional) throw new Error('the first member of a JSON object in SQL has to be there always');
  return [`'{'`, memberText(first, ''), ...others.map((member) => memberText(member, ',')), `'}'`].join(' || ');
}

function memberText({ name, sql, as, optional }: JsonMember, separator: string): string {
  const key = `${separator}"${name}":`;
  const text = as === 'plain' ? `'${key}"' || ${sql} || '"'` : `'${key}' || ${as === 'text' ? `to_json(${sql})::text` : sql}`;
  return optional ? `coalesce(${text}, '')` : text;
}

/** SQL expression for a timestamp as the APIs show it: UTC, milliseconds, numeric offset. */
export const timestampText = (sql: string): string => `to_char(${sql} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"')`;
