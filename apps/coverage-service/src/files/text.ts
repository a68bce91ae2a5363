import { setImmediate as turn } from 'node:timers/promises';
import { unreadableFile } from './sent-row.js';

/** Bytes per piece. A piece with the slowest rows takes about 5 ms. */
const PIECE_BYTES = 512;
/** Milliseconds of work on all files together after which other requests get a turn. */
const TURN_MS = 5;
const NOT_UTF8 = 'contains bytes that are not UTF-8';
const HINT =
  'Save the file as UTF-8; in Excel, as "CSV UTF-8". Send a file that is compressed with gzip with the header Content-Encoding: gzip.';
const BYTE_ORDER_MARK = Buffer.from('\ufeff');

/**
 * The text of a file in small pieces that never split a character, without the byte order mark.
 *
 * @param signal aborts reading; its reason is thrown
 * @param onMark called before any text if the file has a byte order mark
 * @throws Problem 400 if the file is not UTF-8
 */
export async function* textOf(bytes: AsyncIterable<Buffer>, signal: AbortSignal, onMark?: () => void): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let line = 1;
  const decode = (piece?: Buffer): string => {
    try {
      const text = decoder.decode(piece, { stream: piece !== undefined });
      line += lineFeeds(text);
      return text;
    } catch {
      const good = piece?.toString().split('\ufffd', 1)[0] ?? '';
      throw unreadableFile(NOT_UTF8, { line: line + lineFeeds(good) }, HINT);
    }
  };
  let began = performance.now();
  let first = Buffer.alloc(0);
  for await (const chunk of bytes) {
    if (first.length < BYTE_ORDER_MARK.length) {
      first = Buffer.concat([first, chunk]).subarray(0, BYTE_ORDER_MARK.length);
      if (BYTE_ORDER_MARK.equals(first)) onMark?.();
    }
    for (let at = 0; at < chunk.length; at += PIECE_BYTES) {
      if (performance.now() - began > TURN_MS) {
        await nextTurn();
        began = performance.now();
      }
      signal.throwIfAborted();
      yield decode(chunk.subarray(at, at + PIECE_BYTES));
    }
  }
  yield decode();
}

let lastTurn = Promise.resolve();

/** Waits for a turn of the event loop in which no other file is read, so that many files at once delay others no more than one does. */
function nextTurn(): Promise<void> {
  lastTurn = lastTurn.then(() => turn());
  return lastTurn;
}

function lineFeeds(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++;
  return count;
}
