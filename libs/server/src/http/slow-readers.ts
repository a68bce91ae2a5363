import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { resetConnection } from '@fibre/problems';
import type { RequestHandler } from 'express';
import type { Registry } from 'prom-client';
import { counter } from '../metrics/metrics.js';

/**
 * Resets a connection whose client stops reading its response, so that no client or proxy takes it for whole. A connection that is silent
 * while the service works or waits for a body is kept open.
 */
export function cutSlowReaders(server: Server, stallMs: number, registry: Registry): RequestHandler {
  const cuts = counter(registry, 'http_slow_readers_cut_total', 'Connections closed because their clients did not read the response');
  server.timeout = stallMs;
  return (_request, response, next) => {
    // With a listener, Node does not close the connection itself.
    response.on('timeout', (socket: Socket) => {
      if (socket.writableLength === 0) return;
      cuts.inc();
      resetConnection(socket);
    });
    next();
  };
}
