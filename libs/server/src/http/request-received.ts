import type { IncomingMessage } from 'node:http';
import { rawHeader } from './raw-header.js';

const UNKNOWN = -1;

/** Length of the body that is to come. */
function declaredLength(request: IncomingMessage): number {
  // The body comes after an answer, so nobody may wait for it before there is one.
  if (rawHeader(request, 'expect') !== undefined) return Infinity;
  if (rawHeader(request, 'transfer-encoding') !== undefined) return UNKNOWN;
  return Number(rawHeader(request, 'content-length') ?? 0);
}

/**
 * Calls back when the whole request is there, without reading it: who sends slowly takes no place from others meanwhile. `isWhole` is
 * false for a body that does not fit into the buffer of the connection; that one has to be read to come in.
 */
export function whenReceived(request: IncomingMessage, callback: (isWhole: boolean) => void): void {
  const length = declaredLength(request);
  if (length === 0) return callback(true);
  const isTooLong = (): boolean => request.readableLength >= request.readableHighWaterMark;
  if (length >= request.readableHighWaterMark) return callback(false);
  const look = (): void => {
    if (!request.complete && !isTooLong()) return;
    request.removeListener('readable', look);
    callback(request.complete);
  };
  // What came together with the headers is parsed by then.
  process.nextTick(() => {
    if (request.complete || isTooLong()) return callback(request.complete);
    request.on('readable', look);
  });
}
