/** Longest member or parameter name that a response repeats. */
const MAX_NAME = 100;

/** The name, cut so that its URL-encoded form has at most 100 characters. */
export function shortName(name: string): string {
  if (encodeURIComponent(name.slice(0, MAX_NAME + 1).toWellFormed()).length <= MAX_NAME) return name.toWellFormed();
  let [short, length] = ['', 0];
  for (const character of name.slice(0, MAX_NAME).toWellFormed()) {
    length += encodeURIComponent(character).length;
    if (length > MAX_NAME) break;
    short += character;
  }
  return `${short}...`;
}

/** JSON pointer as a URI fragment (RFC 6901 section 6): `#/sys_attributes/article_codes/0`. Long names are cut. */
export const jsonPointer = (path: readonly string[]): string =>
  `#${path.map((step) => `/${encodeURIComponent(shortName(step).replaceAll('~', '~0').replaceAll('/', '~1'))}`).join('')}`;
