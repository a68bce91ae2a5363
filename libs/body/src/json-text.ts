import { malformedRequest, shortName } from '@fibre/problems';

/** Maximum nesting depth of objects and arrays in a body. */
export const MAX_JSON_DEPTH = 32;

const [QUOTE, BACKSLASH, COLON, MINUS] = [0x22, 0x5c, 0x3a, 0x2d];
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_ARRAY, CLOSE_ARRAY] = [0x7b, 0x7d, 0x5b, 0x5d];
const [ZERO, NINE, SPACE] = [0x30, 0x39, 0x20];

const NUMBER_TOKEN = /-?\d[\d.eE+-]*/y;
const NUMBER = /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;
/** A double is exact for every decimal number with up to this many digits, except near the ends of its exponent range. */
const [SAFE_DIGITS, SAFE_EXPONENT] = [15, 280];
/** Parses as `Infinity`, which every number check rejects. */
const INEXACT = '1e999';

/**
 * Checks a JSON text before it is parsed, in one linear pass, for what JSON.parse silently accepts: unlimited depth, two members with the
 * same name (unpredictable behaviour per RFC 8259 section 4), and numbers that change when they are stored as doubles.
 *
 * @param what name of the text in error messages
 * @returns the text, with every number that JavaScript would change replaced by one that parses as `Infinity`, so that it is rejected:
 * 12345678901234567890 would become 12345678901234567000, and 1e-400 would become 0.
 * @throws Problem 400
 */
export function inspectJson(text: string, what = 'The body'): string {
  /** The member names seen so far in each open object; `undefined` for an array. */
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

/** Index after the string that begins at `start`. */
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

/** @throws Problem 400 if the object already has a member with this name */
function addName(names: Set<string>, literal: string, what: string): void {
  const name = literal.includes('\\') ? unescaped(literal) : literal.slice(1, -1);
  if (names.has(name)) throw malformedRequest(`${what} has an object with two members called "${shortName(name)}".`);
  names.add(name);
}

function unescaped(literal: string): string {
  try {
    return JSON.parse(literal) as string;
  } catch {
    return literal; // JSON.parse reports it.
  }
}

/** Whether the double's shortest text is the same decimal number. JSON.parse rejects what isn't a number. */
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

/** The canonical text of a decimal number, without its sign; `undefined` if the token isn't a number. */
function decimal(token: string): string | undefined {
  const match = NUMBER.exec(token);
  if (!match) return undefined;
  const [, integer = '', fraction = '', exponent = '0'] = match;
  const digits = integer + fraction;
  let [first, end] = [0, digits.length];
  // Not a pattern such as /0+$/, which is quadratic for long runs of zeros.
  while (digits.charCodeAt(first) === ZERO) first++;
  while (end > first && digits.charCodeAt(end - 1) === ZERO) end--;
  return first === digits.length ? '0' : `${digits.slice(first, end)}e${Number(exponent) - fraction.length + digits.length - end}`;
}
