import { malformedRequest, Problem, requestTimeout } from '@fibre/problems';
import type { Request } from 'express';

/** A body must arrive at this rate: this many bytes, or its end, in each period that `withinMs` says. */
const LEAST_BYTES = 65_536;

/**
 * The bytes of a body as they arrive. A reader may stop early: the rest is read and dropped.
 *
 * @param withinMs only the time in which the reader waits for bytes counts: it may take as long as it needs to work on them
 * @throws Problem 400 incomplete, 408 less than 64 KiB in `withinMs`
 */
export async function* received(request: Request, withinMs: number): AsyncGenerator<Buffer> {
  // Leaving a plain `for await` would close the connection before the response is sent.
  const chunks = request.iterator({ destroyOnReturn: false }) as AsyncIterableIterator<Buffer>;
  let [left, bytes] = [withinMs, 0];
  try {
    for (;;) {
      const begin = performance.now();
      const next = await withinTime(left, chunks.next());
      if (next.done) return;
      left -= performance.now() - begin;
      bytes += next.value.length;
      if (bytes >= LEAST_BYTES) [left, bytes] = [withinMs, 0];
      yield next.value;
    }
  } catch (error) {
    throw error instanceof Problem ? error : malformedRequest('The body is incomplete.', error);
  } finally {
    // The body flows only without the iterator's listener. Not awaited, because the iterator may still be waiting for bytes.
    void chunks.return!().then(() => request.resume());
  }
}

async function withinTime<T>(ms: number, result: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(requestTimeout()), ms);
  });
  return Promise.race([result, timeout]).finally(() => clearTimeout(timer));
}
