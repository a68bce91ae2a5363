import { createServer, type Server } from 'node:http';
import { StreamableFile } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { Request, Response } from 'express';
import { HttpAnswer } from './http-answer.js';
import { Listeners } from './listeners.js';

/**
 * Nest's way to the server: listens as {@link Listeners} do, and sends what a controller gives back: an {@link HttpAnswer},
 * bytes of JSON, or a value as JSON. Express would ask its settings about each answer, and make an entity tag of every page.
 */
export class JsonAdapter extends ExpressAdapter {
  private readonly listeners = new Listeners();

  /** Node would refuse a missing Host without a body; refuseBadHead does so with one. */
  override initHttpServer(): void {
    this.httpServer = createServer({ requireHostHeader: false }, this.getInstance());
  }

  override listen(port: number | string, ...args: (string | ((error?: Error) => void) | undefined)[]): Server {
    const host = args.find((arg) => typeof arg === 'string');
    const callback = args.find((arg) => typeof arg === 'function');
    const server = this.httpServer as Server;
    this.listeners.listen(server, Number(port), host).then(
      () => callback?.(),
      (error: Error) => callback?.(error),
    );
    return server;
  }

  override async close(): Promise<void> {
    await Promise.all([super.close(), this.listeners.close()]);
  }

  override reply(response: Response, body: unknown, status?: number): unknown {
    if (status !== undefined) response.status(status);
    if (body instanceof HttpAnswer) {
      for (const [name, value] of Object.entries(body.headers)) response.setHeader(name, value);
      // 304 without the body when `If-None-Match` names the entity tag (RFC 9110 section 13.1.2).
      if (isKnown(response.req, body.headers['etag'])) return super.reply(response, undefined, 304);
      if (body.status !== undefined) response.status(body.status);
      if (body.body === undefined) return super.reply(response, undefined);
      if (Buffer.isBuffer(body.body)) return send(response, body.body);
      return sendJson(response, typeof body.body === 'string' ? body.body : JSON.stringify(body.body));
    }
    if (Buffer.isBuffer(body)) return sendJson(response, body);
    if (typeof body !== 'object' || body === null || body instanceof StreamableFile) return super.reply(response, body);
    return sendJson(response, JSON.stringify(body));
  }
}

function sendJson(response: Response, json: string | Buffer): Response {
  response.setHeader('content-type', 'application/json; charset=utf-8');
  return send(response, json);
}

function send(response: Response, body: string | Buffer): Response {
  response.setHeader('content-length', Buffer.byteLength(body));
  return response.end(body);
}

/**
 * Express has the same comparison, but gives the whole answer to a request with `Cache-Control: no-cache`, which fetch
 * sends along with every `If-None-Match`. It asks caches to look here, and here we are.
 */
function isKnown({ method, headers }: Request, etag: string | undefined): boolean {
  const known = headers['if-none-match'];
  if (etag === undefined || known === undefined || (method !== 'GET' && method !== 'HEAD')) return false;
  return known.trim() === '*' || known.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}
