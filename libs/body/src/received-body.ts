import { finished } from 'node:stream';
import { malformedRequest, requestTimeout, unsupportedMediaType } from '@fibre/problems';
import type { Request } from 'express';

/**
 * The media type of a body, without its parameters.
 *
 * @param needed what the body must be, for the error message if there is no body
 * @throws Problem 400 no body, 415 another media type or charset
 */
export function requireMediaType(request: Request, accepted: readonly string[], needed: string): string {
  const header = request.headers['content-type'];
  const isEmpty =
    request.headers['content-length'] === '0' || (!request.headers['content-length'] && !request.headers['transfer-encoding']);
  if (header === undefined) {
    if (isEmpty) throw malformedRequest(`The body is empty; it must be ${needed}.`);
    throw unsupportedMediaType('The body has no Content-Type.', accepted);
  }
  const [mediaType = '', ...parameters] = header.split(';').map((part) => part.trim().toLowerCase());
  if (!accepted.includes(mediaType))
    throw unsupportedMediaType(mediaType ? `Content-Type ${mediaType} is not supported.` : 'Content-Type is empty.', accepted);
  const charset = parameters
    .find((parameter) => parameter.startsWith('charset='))
    ?.slice('charset='.length)
    .replaceAll('"', '');
  if (charset !== undefined && charset !== 'utf-8' && charset !== 'utf8') {
    throw unsupportedMediaType(`Charset ${charset} is not supported; ${mediaType} must be UTF-8.`, accepted);
  }
  return mediaType;
}

/** How fast a body must arrive. Only the time in which the reader waits for bytes counts: it may take as long as it needs to work on them. */
export interface Pace {
  /** Milliseconds within which the next byte must arrive. */
  readonly idleMs: number;
  /** This many bytes, or the end of the body, must arrive in each period of `periodMs`. */
  readonly leastBytes: number;
  readonly periodMs: number;
}

/** A turn of the event loop can bring many times as much, which would all be in memory at once. */
const MOST_BYTES = 65_536;

/**
 * The bytes of a body as they arrive. A reader may stop early: the rest is read and dropped.
 *
 * What arrives in one turn of the event loop is passed on together, because a client may send each byte as an HTTP chunk of its own.
 *
 * @throws Problem 400 incomplete, 408 slower than `pace`
 */
export async function* received(request: Request, pace: Pace): AsyncGenerator<Buffer> {
  const { idleMs, leastBytes, periodMs } = pace;
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
    for (let [left, bytes] = [periodMs, 0]; ;) {
      const begin = performance.now();
      request.resume();
      await inTime(Math.min(left, idleMs), left <= idleMs ? tooSlow(pace) : idle(pace), (done) => {
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
      if (bytes >= leastBytes) [left, bytes] = [periodMs, 0];
      const buffer = Buffer.concat(chunks, size);
      [chunks, size] = [[], 0];
      yield buffer;
    }
  } finally {
    forget();
    request.off('data', arrived).resume();
  }
}

const idle = ({ idleMs }: Pace): string => `No byte of the body arrived for ${idleMs / 1_000} s`;
const tooSlow = ({ leastBytes, periodMs }: Pace): string => `Less than ${leastBytes} bytes of the body arrived in ${periodMs / 1_000} s`;

/** @throws Problem 408 `begin`'s callback wasn't called in time */
function inTime(ms: number, late: string, begin: (done: () => void) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(requestTimeout(late)), ms);
    begin(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}
