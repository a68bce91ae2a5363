/** JSON pointer in its URI fragment form (RFC 6901 section 6): `#/sys_attributes/article_codes/0`. */
export const jsonPointer = (path: readonly string[]): string =>
  `#${path.map((step) => `/${encodeURIComponent(step.toWellFormed().replaceAll('~', '~0').replaceAll('/', '~1'))}`).join('')}`;
