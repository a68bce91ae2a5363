import { finished } from 'node:stream';
import { malformedRequest, requestTimeout } from '@fibre/problems';
import type { Request } from 'express';

/** A body must arrive at this rate: this many bytes, or its end, in each period that `withinMs` says. */
const LEAST_BYTES = 65_536;

/** A turn of the event loop can bring many times as much, which would all be in memory at once. */
const MOST_BYTES = 65_536;

/**
 * The bytes of a body as they arrive. A reader may stop early: the rest is read and dropped.
 *
 * What arrives in one turn of the event loop is passed on together, because a client may send each byte as an HTTP chunk of its own.
 *
 * @param withinMs only the time in which the reader waits for bytes counts: it may take as long as it needs to work on them
 * @throws Problem 400 incomplete, 408 less than 64 KiB in `withinMs`
 */
export async function* received(request: Request, withinMs: number): AsyncGenerator<Buffer> {
  let chunks: Buffer[] = [];
  let size = 0;
  let end: { error?: Error | null } | undefined;
  let wake = (): void => undefined;
  const arrived = (chunk: Buffer): void => {
    size += chunk.length;
    if (chunks.push(chunk) === 1) setImmediate(() => wake());
    else if (size >= MOST_BYTES) wake();
  };
  const forget = finished(request, { writable: false }, (error) => {
    end = { error };
    wake();
  });
  request.on('data', arrived).pause();
  try {
    for (let [left, bytes] = [withinMs, 0]; ;) {
      const begin = performance.now();
      request.resume();
      await withinTime(left, (done) => {
        wake = () => {
          if (size > 0 || end) done();
        };
        wake();
      });
      request.pause();
      if (end?.error) throw malformedRequest('The body is incomplete.', end.error);
      if (size === 0) return;
      left -= performance.now() - begin;
      bytes += size;
      if (bytes >= LEAST_BYTES) [left, bytes] = [withinMs, 0];
      const buffer = Buffer.concat(chunks, size);
      [chunks, size] = [[], 0];
      yield buffer;
    }
  } finally {
    forget();
    request.off('data', arrived).resume();
  }
}

/** @throws Problem 408 `begin`'s callback wasn't called in time */
function withinTime(ms: number, begin: (done: () => void) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(requestTimeout()), ms);
    begin(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}
