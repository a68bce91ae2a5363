import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { Request, Response } from 'express';
import { map, type Observable } from 'rxjs';

/** An answer that needs more than a body: headers that depend on the record, or another status than the route's. */
export class Reply<T> {
  constructor(
    readonly body: T,
    readonly headers: Readonly<Record<string, string>>,
    readonly status?: number,
  ) {}
}

/** Sends a {@link Reply}; 304 without its body when `If-None-Match` names the `etag` in it (RFC 9110 section 13.1.2). */
@Injectable()
export class ReplyInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    return next.handle().pipe(
      map((result: unknown) => {
        if (!(result instanceof Reply)) return result;
        const http = context.switchToHttp();
        const response = http.getResponse<Response>();
        response.set(result.headers);
        if (isKnown(http.getRequest<Request>(), result.headers['etag'])) {
          response.status(304);
          return undefined;
        }
        if (result.status !== undefined) response.status(result.status);
        return result.body as unknown;
      }),
    );
  }
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
