/** Text in quotes. A missing end is the end of the text. */
const QUOTED = /"[^"]*(?:"|$)/g;
/** The first line with any text, if its end has been reached. */
const FIRST_LINE = /^[\r\n]*([^\r\n]+)[\r\n]/;

/**
 * What separates the cells of a table: a comma or a semicolon, whichever the first record has more of. A record may have line breaks within
 * quotes, and what is within quotes separates nothing.
 *
 * @param text the beginning of the table
 * @returns `undefined` if the first record does not end within the text
 */
export function separatorOf(text: string): ',' | ';' | undefined {
  const [, record] = FIRST_LINE.exec(text.replaceAll(QUOTED, '""')) ?? [];
  if (record === undefined) return undefined;
  const count = (separator: string): number => record.split(separator).length - 1;
  return count(';') > 0 && count(';') >= count(',') ? ';' : ',';
}
