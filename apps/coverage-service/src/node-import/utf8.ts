import { isUtf8 } from 'node:buffer';
import { UnreadableFile } from './node-import.js';

const BOM = Buffer.from([0xef, 0xbb, 0xbf]);
const LINE_FEED = 0x0a;

/**
 * The bytes of a text, whole characters in each chunk, without a byte order mark.
 *
 * @param placeOf a fault that is in this line; what is well before it is handed on first
 * @throws UnreadableFile when it is not UTF-8
 */
export async function* utf8Chunks(bytes: AsyncIterable<Buffer>, placeOf: (line: number) => number): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0);
  let isBeginning = true;
  let line = 1;
  for await (const chunk of bytes) {
    let text = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    if (isBeginning && text.length < BOM.length) {
      rest = text;
      continue;
    }
    if (isBeginning) {
      if (isUtf16(text)) throw new UnreadableFile('is UTF-16', undefined, HINT);
      if (text.subarray(0, BOM.length).equals(BOM)) text = text.subarray(BOM.length);
      isBeginning = false;
    }
    const whole = wholeCharacters(text);
    rest = text.subarray(whole.length);
    const good = wellFormed(whole);
    yield good;
    line += lineFeeds(good);
    if (good.length < whole.length) throw new UnreadableFile(NOT_UTF8, placeOf(line), HINT);
  }
  if (!isUtf8(rest)) throw new UnreadableFile(NOT_UTF8, placeOf(line), HINT);
  yield rest;
}

const NOT_UTF8 = 'has bytes that are not UTF-8';
const HINT = 'Save the file as UTF-8; in Excel that is the type "CSV UTF-8".';

const isUtf16 = (text: Buffer): boolean => (text[0] === 0xff && text[1] === 0xfe) || (text[0] === 0xfe && text[1] === 0xff);

/** The text without the beginning of a character at its end. */
function wholeCharacters(text: Buffer): Buffer {
  for (let back = 1; back <= Math.min(3, text.length); back++) {
    const byte = text[text.length - back]!;
    if (byte < 0x80) break;
    if (byte < 0xc0) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    return back < length ? text.subarray(0, -back) : text;
  }
  return text;
}

/** The text up to its first byte that is not UTF-8. */
function wellFormed(text: Buffer): Buffer {
  if (isUtf8(text)) return text;
  let [good, bad] = [0, text.length];
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    if (isUtf8(wholeCharacters(text.subarray(0, middle)))) good = middle;
    else bad = middle;
  }
  return wholeCharacters(text.subarray(0, good));
}

function lineFeeds(text: Buffer): number {
  let count = 0;
  for (let at = text.indexOf(LINE_FEED); at >= 0; at = text.indexOf(LINE_FEED, at + 1)) count++;
  return count;
}
