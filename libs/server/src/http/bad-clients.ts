import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { malformedRequest, type Problem, resetConnection } from '@fibre/problems';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import type { Registry } from 'prom-client';
import { counter } from '../metrics/metrics.js';

/** A DNS name, an IPv4 address, or an IPv6 address in brackets; optionally a port (RFC 3986 section 3.2). */
const HOST = /^(?:[\w.-]{1,253}|\[[\da-f:.]{2,45}\])(?::\d{0,5})?$/i;

/**
 * Rejects a request with an invalid head before anything uses it. Links contain the host, and a response that quotes an invalid host would
 * say whatever its sender wants (RFC 9110 section 7.2). The headers that a trusted proxy adds must follow the same rules.
 */
export function refuseBadHead(request: Request, _response: Response, next: NextFunction): void {
  for (const name of ['x-forwarded-host', 'x-forwarded-proto']) {
    const value = request.headers[name];
    if (typeof value === 'string') request.headers[name] = ofTrustedProxy(value, request.app.get('trust proxy'));
  }
  next(faultOfHost(request));
}

/** Express takes the first value of a list, but proxies may append to what the client sent: only the last ones are from trusted proxies. */
function ofTrustedProxy(value: string, trusted: unknown): string {
  const values = value.split(',');
  const hops = typeof trusted === 'number' ? trusted : 1;
  return values[Math.max(0, values.length - hops)]!.trim().toLowerCase();
}

/** The URL standard knows more rules than a pattern can state, such as the largest port and the numbers of an IPv4 address. */
const isHost = (host: string): boolean => HOST.test(host) && URL.canParse(`http://${host}`);

function faultOfHost(request: Request): Problem | undefined {
  const { host } = request.headers;
  if (host === undefined && request.httpVersion !== '1.0') return malformedRequest('The Host header is missing.');
  // Node keeps only the first one in `headers`.
  if ((request.headersDistinct['host']?.length ?? 0) > 1) return malformedRequest('There is more than one Host header.');
  if (host !== undefined && !isHost(host)) return malformedRequest('The Host header is not a valid host.');
  if (request.protocol !== 'http' && request.protocol !== 'https') return malformedRequest('X-Forwarded-Proto must be http or https.');
  // Express uses this header as the host when a trusted proxy sends it.
  if (request.host !== host && !isHost(request.host)) return malformedRequest('X-Forwarded-Host is not a valid host.');
  return undefined;
}

const isDecodable = (text: string): boolean => {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
};

/**
 * Marks a URL with invalid percent-encoding, so that request validation rejects it; the router itself would respond 400 before the token is
 * checked.
 */
export function markUndecodableUrl(request: Request, response: Response, next: NextFunction): void {
  if (!isDecodable(request.url)) {
    response.locals['undecodable'] = true;
    request.url = request.url.replaceAll(/%(?![0-7][0-9a-f])/gi, '%25');
  }
  next();
}

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
