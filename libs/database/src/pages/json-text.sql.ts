/** One member of a JSON object that SQL writes. */
export interface JsonMember {
  readonly name: string;
  /** SQL expression of type text (or one that `||` makes text of). */
  readonly sql: string;
  /**
   * `text` is escaped; `plain` is known to need none and to have at most 64 bytes (UUIDs, numbers as text, closed lists,
   * timestamps); `json` is JSON already, a column as text.
   */
  readonly as: 'text' | 'plain' | 'json';
  /** Whether the member is left out when the expression is null. */
  readonly optional?: boolean;
}

/**
 * SQL expression for a JSON object as text, members in the order given. It is never null, not even where the row is.
 *
 * One call of `format`, which takes null for an empty text, and not a chain of `||`: a server of a Citus cluster is sent the
 * expression with every statement and has to find each operator of it anew.
 */
export function jsonObjectText(members: readonly JsonMember[]): string {
  const [first, ...others] = members;
  if (!first || first.optional) throw new Error('the first member of a JSON object in SQL has to be there always');
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

/** How long a text is within JSON: exactly, or at the least or most. The last two do not read it. */
export type TextBytes = 'exact' | 'least' | 'most';

const MAX_PLAIN_BYTES = 64;
const TEXT_BYTES: Readonly<Record<TextBytes, (sql: string) => string>> = {
  exact: (sql) => `octet_length(to_json(${sql})::text)`,
  least: (sql) => `octet_length(${sql})`,
  // A control character becomes six.
  most: (sql) => `6 * octet_length(${sql})`,
};

/** SQL expression for the bytes of what {@link jsonObjectText} writes with a comma after it, `plain` members at their longest. */
export function jsonObjectBytes(members: readonly JsonMember[], textBytes: TextBytes): string {
  const ofKeys = members.reduce(
    (sum, { name, as }) => sum + Buffer.byteLength(`"${name}":"",`) + (as === 'plain' ? MAX_PLAIN_BYTES : 0),
    2,
  );
  const ofValues = members.flatMap(({ sql, as }) => {
    if (as === 'plain') return [];
    return `coalesce(${as === 'text' ? TEXT_BYTES[textBytes](sql) : `octet_length(${sql})`}, 0)`;
  });
  return [ofKeys, ...ofValues].join(' + ');
}

/** SQL expression for a timestamp as the APIs show it: UTC, milliseconds, numeric offset. */
export const timestampText = (sql: string): string => `to_char(${sql} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"')`;
