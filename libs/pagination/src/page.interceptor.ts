import { type CallHandler, type ExecutionContext, Inject, Injectable, type NestInterceptor } from '@nestjs/common';
import type { Request, Response } from 'express';
import { map, type Observable } from 'rxjs';
import { Page } from './page.js';

export const PUBLIC_BASE_URL = Symbol('PUBLIC_BASE_URL');

/** Sends a {@link Page} as a plain JSON array with `link` (RFC 8288), `x-page-size` and `x-page-count`. */
@Injectable()
export class PageInterceptor implements NestInterceptor {
  /** @param publicBaseUrl scheme and host that clients know the service by; without it those of the request */
  constructor(@Inject(PUBLIC_BASE_URL) private readonly publicBaseUrl: string | undefined) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    return next.handle().pipe(
      map((result: unknown) => {
        if (!(result instanceof Page)) return result;
        const links = pageLinks(http.getRequest<Request>(), result, this.publicBaseUrl);
        http
          .getResponse<Response>()
          .set({ link: links, 'x-page-size': String(result.size), 'x-page-count': String(result.count) })
          .type('application/json');
        return result.json;
      }),
    );
  }
}

function pageLinks(request: Request, page: Page, publicBaseUrl: string | undefined): string {
  const url = request.originalUrl;
  const search = url.includes('?') ? url.slice(url.indexOf('?') + 1) : '';
  // Not the path in the URL: a proxy may send the whole URL there (RFC 9112 section 3.2.2).
  const base = publicBaseUrl ?? `${request.protocol}://${request.host ?? 'localhost'}`;
  const link = (rel: string, cursor?: string): string => {
    const query = new URLSearchParams(search);
    query.set('_page_size', String(page.size));
    if (cursor !== undefined) query.set('_page_cursor', cursor);
    return `<${base}${request.path}?${query.toString()}>; rel=${rel}`;
  };
  // Without the cursor argument the query keeps the cursor it came with, as `self` has to.
  return page.nextCursor === undefined ? link('self') : `${link('self')}, ${link('next', page.nextCursor)}`;
}
