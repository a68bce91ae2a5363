import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { RequestHandler } from 'express';

/**
 * Cuts a connection whose client takes nothing of a response for a while. A connection that is silent while the service works, or while a
 * body is awaited, stays.
 */
export function cutSlowReaders(server: Server, stallMs: number, onCut: () => void): RequestHandler {
  server.timeout = stallMs;
  return (_request, response, next) => {
    // With a listener Node leaves the connection to it.
    response.on('timeout', (socket: Socket) => {
      if (socket.writableLength === 0) return;
      onCut();
      socket.destroy();
    });
    next();
  };
}
