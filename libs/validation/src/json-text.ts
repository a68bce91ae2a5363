import { malformedRequest } from '@fibre/problems';

/** Objects and arrays inside each other that a body may have, the outermost the first. */
export const MAX_JSON_DEPTH = 32;

const [QUOTE, BACKSLASH, COLON, MINUS] = [0x22, 0x5c, 0x3a, 0x2d];
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_ARRAY, CLOSE_ARRAY] = [0x7b, 0x7d, 0x5b, 0x5d];
const [ZERO, NINE, SPACE] = [0x30, 0x39, 0x20];

const NUMBER_TOKEN = /-?\d[\d.eE+-]*/y;
const NUMBER = /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;
/** A double holds every decimal number of this many digits, and gives it back, unless its exponent is near the ends of the range. */
const [SAFE_DIGITS, SAFE_EXPONENT] = [15, 280];
/** Parses as `Infinity`, which no JSON text can mean and every check of a number refuses. */
const INEXACT = '1e999';

/**
 * Looks at a JSON text before it is parsed, in one pass that is linear in its length, for what a parser takes without a word: depth without
 * bound, two members of one name (RFC 8259 section 4: what becomes of them is anyone's guess), and numbers that a double changes.
 *
 * @param what the text is, for the refusal
 * @returns the text, with every number that JavaScript would change replaced by one that parses as `Infinity`: 12345678901234567890 would
 *   come back as 12345678901234567000, and 1e-400 as 0. A client shall learn of that, not find it out.
 * @throws Problem 400
 */
export function inspectJson(text: string, what = 'The body'): string {
  /** Names of the members so far of each open object; `undefined` for an array. */
  const open: (Set<string> | undefined)[] = [];
  const exact: string[] = [];
  let copied = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      const end = endOfString(text, at);
      const names = open.at(-1);
      if (names && isName(text, end)) addName(names, text.slice(at, end), what);
      at = end - 1;
    } else if (code === OPEN_OBJECT || code === OPEN_ARRAY) {
      open.push(code === OPEN_OBJECT ? new Set() : undefined);
      if (open.length > MAX_JSON_DEPTH) throw malformedRequest(`${what} has more than ${MAX_JSON_DEPTH} levels of objects and arrays.`);
    } else if (code === CLOSE_OBJECT || code === CLOSE_ARRAY) {
      open.pop();
    } else if (code === MINUS || (code >= ZERO && code <= NINE)) {
      NUMBER_TOKEN.lastIndex = at;
      const [token = '-'] = NUMBER_TOKEN.exec(text) ?? [];
      if (!isExact(token)) {
        exact.push(text.slice(copied, at), INEXACT);
        copied = at + token.length;
      }
      at += token.length - 1;
    }
  }
  return exact.length === 0 ? text : exact.join('') + text.slice(copied);
}

/** Index behind the string that begins at `start`. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at + 1;
    if (code === BACKSLASH) at++;
  }
  return text.length;
}

function isName(text: string, end: number): boolean {
  let at = end;
  while (text.charCodeAt(at) <= SPACE) at++;
  return text.charCodeAt(at) === COLON;
}

/** @throws Problem 400 when the object has this name already */
function addName(names: Set<string>, literal: string, what: string): void {
  const name = literal.includes('\\') ? unescaped(literal) : literal.slice(1, -1);
  if (names.has(name)) throw malformedRequest(`${what} has an object with two members of the name ${shortened(literal)}.`);
  names.add(name);
}

const MAX_SHOWN = 100;
const shortened = (literal: string): string => (literal.length <= MAX_SHOWN ? literal : `${literal.slice(0, MAX_SHOWN)}..."`);

function unescaped(literal: string): string {
  try {
    return JSON.parse(literal) as string;
  } catch {
    return literal; // The parser will say so.
  }
}

/** Whether the shortest text of the double is the same decimal number. What is no number is for the parser to refuse. */
function isExact(token: string): boolean {
  const exponentAt = token.search(/[eE]/);
  const mantissa = exponentAt < 0 ? token.length : exponentAt;
  if (mantissa <= SAFE_DIGITS && (exponentAt < 0 || Math.abs(Number(token.slice(exponentAt + 1))) <= SAFE_EXPONENT)) return true;
  const value = Number(token);
  const shortest = String(value);
  if (shortest === token) return true;
  const written = decimal(token);
  return written === undefined || (Number.isFinite(value) && written === decimal(shortest));
}

/** One text for each decimal number, less its sign; `undefined` for what is none. */
function decimal(token: string): string | undefined {
  const match = NUMBER.exec(token);
  if (!match) return undefined;
  const [, integer = '', fraction = '', exponent = '0'] = match;
  const digits = integer + fraction;
  let [first, end] = [0, digits.length];
  // Not by a pattern: /0+$/ looks at every run of zeros from each of its digits.
  while (digits.charCodeAt(first) === ZERO) first++;
  while (end > first && digits.charCodeAt(end - 1) === ZERO) end--;
  return first === digits.length ? '0' : `${digits.slice(first, end)}e${Number(exponent) - fraction.length + digits.length - end}`;
}
