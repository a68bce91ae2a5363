/** Says what is wrong with a value, as the end of a sentence that begins with its name; `undefined` when nothing is. */
export type CheckFunction = (value: unknown) => string | undefined;

/** A string of `min` to `max` Unicode code points that PostgreSQL can store and give back unchanged. */
export const text =
  (min: number, max: number): CheckFunction =>
  (value) => {
    if (typeof value !== 'string') return 'has to be a string';
    if (value.includes('\0')) return 'must not contain the NUL character';
    if (!value.isWellFormed()) return 'has half of a surrogate pair, which is not a character';
    // A code point takes one or two UTF-16 units: what is longer than two times the most need not be counted.
    const length = value.length > 2 * max ? value.length : [...value].length;
    return length < min || length > max ? `has to have ${min} to ${max} characters` : undefined;
  };

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** A UUID (RFC 9562) of any version, in either case. */
export const uuid: CheckFunction = (value) => (typeof value === 'string' && UUID.test(value) ? undefined : 'has to be a UUID');

/** One of a closed list of strings. */
export const oneOf =
  (allowed: readonly string[]): CheckFunction =>
  (value) =>
    allowed.includes(value as string) ? undefined : `has to be one of ${allowed.join(', ')}`;

/** A whole number, already converted by {@link toInteger}. */
export const integerBetween =
  (min: number, max: number): CheckFunction =>
  (value) =>
    Number.isInteger(value) && (value as number) >= min && (value as number) <= max
      ? undefined
      : `has to be a whole number from ${min} to ${max}`;

/** Reads a whole number of a query parameter; what is none stays as it is, for the check to refuse. */
export const toInteger = (value: unknown): unknown => (typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value);

/** Lower-cases what is a string; UUIDs are compared and answered in lower case. */
export const toLowerCase = (value: unknown): unknown => (typeof value === 'string' ? value.toLowerCase() : value);
