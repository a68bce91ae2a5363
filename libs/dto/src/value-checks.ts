/** A fault inside a value; `path` leads from the value to it. */
export interface Fault {
  readonly path: readonly string[];
  readonly detail: string;
}

/**
 * Describes what is wrong with a value, as the end of a sentence that begins with the value's name; `undefined` if it is valid. A check
 * that looks inside the value returns the faults that it finds there.
 *
 * @param request the object that contains the value, for rules that span members
 */
export type ValueCheck<Request extends object = object> = (value: unknown, request: Request) => string | readonly Fault[] | undefined;

/** Why PostgreSQL cannot store a string and return it unchanged; `undefined` if it can. */
export function characterFault(value: string): string | undefined {
  if (value.includes('\0')) return 'must not contain the NUL character';
  return value.isWellFormed() ? undefined : 'contains half of a surrogate pair, which is not a character';
}

/** A string of `min` to `max` Unicode code points that PostgreSQL can store and return unchanged. */
export const text =
  (min: number, max: number) =>
  (value: unknown): string | undefined => {
    if (typeof value !== 'string') return 'must be a string';
    const fault = characterFault(value);
    if (fault !== undefined) return fault;
    // A code point takes one or two UTF-16 units, so only lengths in between need counting.
    const length = (value.length >= 2 * min - 1 && value.length <= max) || value.length > 2 * max ? value.length : [...value].length;
    return length < min || length > max ? `must have ${min} to ${max} characters` : undefined;
  };

/** It has no user, which would hide the real host from people, and nothing that `new URL` would remove, replace or add (RFC 3986). */
const WEB_URL = /^https?:\/\/[^\s/?#@\\\p{Cc}]+([/?#][^\s\\\p{Cc}]*)?$/iu;

/** An http or https URL without a user. */
export const isWebUrl = (value: unknown): value is string => typeof value === 'string' && WEB_URL.test(value) && URL.canParse(value);

/** A list of `min` to `max` values that each pass `check`; every invalid one is reported. */
export const listOf =
  (min: number, max: number, what: string, check: (value: unknown) => string | undefined): ValueCheck =>
  (value) => {
    if (!Array.isArray(value) || value.length < min || value.length > max) return `must be an array of ${min} to ${max} ${what}`;
    const faults = value.flatMap((item, index) => {
      const detail = check(item);
      return detail === undefined ? [] : [{ path: [String(index)], detail }];
    });
    return faults.length === 0 ? undefined : faults;
  };

/** Whether a merge patch changes nothing. Nothing is then written, so `modified_at` stays. */
export const isEmptyPatch = (changes: object): boolean => Object.values(changes).every((value) => value === undefined);

/** 32 hexadecimal digits in the format of RFC 9562 section 4. */
export const hexToUuid = (hex: string): string => hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
