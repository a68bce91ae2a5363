import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { isStreamed } from '@fibre/validation';
import { rawHeader } from './raw-header.js';

interface Progress {
  readonly begun: number;
  bytes: number;
  at: number;
}

/** Looks at a body until its time is over. */
const LOOKS = 12;

/**
 * Ends a request whose body does not come: the whole of it has `timeoutMs`, one that its handler reads as a stream has them anew with each byte
 * until it is answered. In the place of Node's `requestTimeout`, which knows no exception and ends in the same way.
 */
export function boundBodies(server: Server, timeoutMs: number): void {
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (!hasBody(request)) return;
    const { socket } = request;
    const progress: Progress = { begun: performance.now(), bytes: socket.bytesRead, at: performance.now() };
    const looking = setInterval(() => {
      if (request.complete || socket.destroyed) return clearInterval(looking);
      // What came meanwhile is read behind the timers, and a process that was busy reads late.
      setImmediate(() => {
        if (request.complete || !isOverdue(request, response, progress, timeoutMs)) return;
        clearInterval(looking);
        if (response.writableEnded) socket.destroy();
        else server.emit('clientError', Object.assign(new Error('the body did not come'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket);
      });
    }, timeoutMs / LOOKS).unref();
    const stop = (): void => void ((request.complete || socket.destroyed) && clearInterval(looking));
    request.once('close', stop);
    response.once('close', stop);
  });
}

function isOverdue(request: IncomingMessage, response: ServerResponse, progress: Progress, timeoutMs: number): boolean {
  const now = performance.now();
  if (!isStreamed(request)) return now - progress.begun >= timeoutMs;
  // Bytes that are there and wait for their reader are not for the client to hurry.
  if (!response.writableEnded && (request.socket.bytesRead > progress.bytes || request.readableLength > 0)) {
    progress.bytes = request.socket.bytesRead;
    progress.at = now;
  }
  return now - progress.at >= timeoutMs;
}

const hasBody = (request: IncomingMessage): boolean =>
  rawHeader(request, 'transfer-encoding') !== undefined || Number(rawHeader(request, 'content-length') ?? 0) > 0;
