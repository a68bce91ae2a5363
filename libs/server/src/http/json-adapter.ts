import { createServer } from 'node:http';
import { Conditions, entityTag } from '@fibre/dto';
import { StreamableFile } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { Express, NextFunction, Request, Response } from 'express';
import { refuseOtherMethods } from './routes.js';

/** A response with more than a body: its own headers, or a status other than the route's. */
export class ResponseWithHeaders<T> {
  /** @param body a string is JSON text; bytes are of the type in `headers`; `undefined` means no body */
  constructor(
    readonly body: T,
    readonly headers: Readonly<Record<string, string>> = {},
    readonly status?: number,
  ) {}

  /**
   * A record with its version.
   *
   * @param createdAt path of the record, if the request created it
   */
  static ofRecord<T>(body: T, version: number, createdAt?: string): ResponseWithHeaders<T> {
    const etag = entityTag(version);
    return createdAt === undefined
      ? new ResponseWithHeaders(body, { etag })
      : new ResponseWithHeaders(body, { etag, location: createdAt }, 201);
  }
}

/**
 * Sends a controller's result: a {@link ResponseWithHeaders}, JSON as bytes, or a value as JSON. Express would look up its settings for
 * each response and hash every page for an entity tag.
 */
export class JsonAdapter extends ExpressAdapter {
  constructor(instance: Express) {
    super(instance);
    refuseOtherMethods(this);
  }

  /** Node would reject a request without a Host header and send no body; refuseBadHead sends a problem instead. */
  override initHttpServer(): void {
    this.httpServer = createServer({ requireHostHeader: false }, this.getInstance());
  }

  override reply(response: Response, body: unknown, status?: number): unknown {
    if (status !== undefined) response.status(status);
    if (body instanceof ResponseWithHeaders) {
      for (const [name, value] of Object.entries(body.headers)) response.setHeader(name, value);
      // 304 without the body if `If-None-Match` contains the entity tag (RFC 9110 section 13.1.2).
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

/** Like Express's comparison, but without its exception for `Cache-Control: no-cache`, which fetch sends with every `If-None-Match`. */
function isKnown({ method, headers }: Request, etag: string | undefined): boolean {
  if (etag === undefined || (method !== 'GET' && method !== 'HEAD')) return false;
  return !Conditions.parse({ 'if-none-match': headers['if-none-match'] }).allows(etag);
}

/** The Helmet headers that matter for JSON. */
const SECURITY_HEADERS = new Map([
  ['content-security-policy', "default-src 'none';frame-ancestors 'none'"],
  ['cross-origin-resource-policy', 'same-origin'],
  ['referrer-policy', 'no-referrer'],
  ['strict-transport-security', 'max-age=31536000; includeSubDomains'],
  ['x-content-type-options', 'nosniff'],
  // Records belong to one tenant. A response that may be cached sets its own header.
  ['cache-control', 'private, no-store'],
]);

export function securityHeaders(_request: Request, response: Response, next: NextFunction): void {
  response.setHeaders(SECURITY_HEADERS);
  next();
}
