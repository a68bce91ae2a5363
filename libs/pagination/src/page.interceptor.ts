import { type CallHandler, type ExecutionContext, Inject, Injectable, type NestInterceptor } from '@nestjs/common';
import type { Request, Response } from 'express';
import { map, type Observable } from 'rxjs';
import { Page } from './page.js';

/** Scheme and host that clients use for the service, without a trailing slash; `undefined` means the scheme and host of the request. */
export const PUBLIC_BASE_URL = Symbol('PUBLIC_BASE_URL');

/** Sends the records of the {@link Page} that a listing returns, with the headers `link` (RFC 8288), `x-page-size` and `x-page-count`. */
@Injectable()
export class PageInterceptor implements NestInterceptor<Page, Buffer> {
  constructor(@Inject(PUBLIC_BASE_URL) private readonly publicBaseUrl: string | undefined) {}

  intercept(context: ExecutionContext, next: CallHandler<Page>): Observable<Buffer> {
    const http = context.switchToHttp();
    const [request, response] = [http.getRequest<Request>(), http.getResponse<Response>()];
    return next.handle().pipe(
      map((page) => {
        response.setHeader('link', pageLinks(request, page, this.publicBaseUrl));
        response.setHeader('x-page-size', String(page.size));
        if (page.count !== undefined) response.setHeader('x-page-count', String(page.count));
        for (const [name, value] of Object.entries(page.headers)) response.setHeader(name, value);
        return arrayOf(page.json);
      }),
    );
  }
}

/** A JSON array as bytes. It is never joined into one string, because only a full garbage collection would free its megabytes. */
function arrayOf(json: readonly string[]): Buffer {
  const parts = ['[', ...json.flatMap((text, index) => (index === 0 ? [text] : [',', text])), ']'];
  const bytes = Buffer.allocUnsafe(parts.reduce((sum, part) => sum + Buffer.byteLength(part), 0));
  let end = 0;
  for (const part of parts) end += bytes.write(part, end);
  return bytes;
}

function pageLinks(request: Request, page: Page, publicBaseUrl: string | undefined): string {
  const url = request.originalUrl;
  const search = url.includes('?') ? url.slice(url.indexOf('?') + 1) : '';
  // Not the path in request.url: a proxy may send an absolute URL there (RFC 9112 section 3.2.2).
  const base = publicBaseUrl ?? `${request.protocol}://${request.host ?? 'localhost'}`;
  const link = (rel: string, cursor?: string): string => {
    const query = new URLSearchParams(search);
    query.set('_page_size', String(page.size));
    if (cursor !== undefined) query.set('_page_cursor', cursor);
    return `<${base}${request.path}?${query.toString()}>; rel=${rel}`;
  };
  // Without an argument the query keeps its cursor, as `self` requires.
  return page.nextCursor === undefined ? link('self') : `${link('self')}, ${link('next', page.nextCursor)}`;
}
