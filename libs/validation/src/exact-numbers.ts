/**
 * No number has fewer significant digits, or no exponent, and yet changes on its way through a double. Within an object
 * it follows a colon, a comma or a bracket: hexadecimal ids in strings, which have a digit before an `e` as well, do not.
 */
const MAY_BE_INEXACT = /[:,[]\s*-?(?:\d[\d.]{15}|[\d.]+[eE])/;
/** Strings, so that what stands in them is passed over, and numbers (RFC 8259 sections 6 and 7). */
const STRING_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
const NUMBER = /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;
/** Parses as `Infinity`, which no JSON text can mean and every check of a number refuses. */
const INEXACT = '1e999';

/**
 * Replaces every number that JavaScript would change by one that parses as `Infinity`: 12345678901234567890 would come
 * back as 12345678901234567000, and 1e-400 as 0. A client shall learn of that, not find it out.
 *
 * @param text valid JSON, an object or an array
 */
export function withoutInexactNumbers(text: string): string {
  if (!MAY_BE_INEXACT.test(text)) return text;
  return text.replace(STRING_OR_NUMBER, (token) => (token.startsWith('"') || isExact(token) ? token : INEXACT));
}

/** Whether the shortest text of the double is the same decimal number. */
function isExact(token: string): boolean {
  const value = Number(token);
  return Number.isFinite(value) && decimal(token) === decimal(String(value));
}

/** One text for each decimal number, less its sign. */
function decimal(token: string): string {
  const [, integer = '', fraction = '', exponent = '0'] = NUMBER.exec(token) ?? [];
  const digits = `${integer}${fraction}`.replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  return significant === '' ? '0' : `${significant}e${Number(exponent) - fraction.length + digits.length - significant.length}`;
}
