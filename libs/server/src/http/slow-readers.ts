import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { RequestHandler } from 'express';

/** Closes a connection whose client stops reading its response. A connection that is silent while the service works or awaits a body stays open. */
export function cutSlowReaders(server: Server, stallMs: number, onCut: () => void): RequestHandler {
  server.timeout = stallMs;
  return (_request, response, next) => {
    // With a listener, Node leaves the connection to it.
    response.on('timeout', (socket: Socket) => {
      if (socket.writableLength === 0) return;
      onCut();
      socket.destroy();
    });
    next();
  };
}
