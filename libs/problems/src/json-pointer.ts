/** Longest text by which an answer names a member or a parameter, so that it does not grow with the nonsense in a request. */
const MAX_NAME = 100;

/** The name of an offender, cut to at most 100 characters as they stand in a URL. */
export function shortName(name: string): string {
  // Every character takes at least one: what is longer need not be looked at.
  if (encodeURIComponent(name.slice(0, MAX_NAME + 1).toWellFormed()).length <= MAX_NAME) return name.toWellFormed();
  let [short, length] = ['', 0];
  for (const character of name.slice(0, MAX_NAME).toWellFormed()) {
    length += encodeURIComponent(character).length;
    if (length > MAX_NAME) break;
    short += character;
  }
  return `${short}...`;
}

/** JSON pointer in its URI fragment form (RFC 6901 section 6): `#/sys_attributes/article_codes/0`. Long names in it are cut. */
export const jsonPointer = (path: readonly string[]): string =>
  `#${path.map((step) => `/${encodeURIComponent(shortName(step).replaceAll('~', '~0').replaceAll('/', '~1'))}`).join('')}`;
