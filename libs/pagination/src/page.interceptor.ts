import { type CallHandler, type ExecutionContext, Inject, Injectable, type NestInterceptor } from '@nestjs/common';
import type { Request, Response } from 'express';
import { map, type Observable } from 'rxjs';
import { Page } from './page.js';

/** Provides the scheme and host that clients know the service by, without a slash at the end; `undefined`: those of the request. */
export const PUBLIC_BASE_URL = Symbol('PUBLIC_BASE_URL');

/** In ASCII. */
const [BEGIN, COMMA, END] = [0x5b, 0x2c, 0x5d];

/** Makes headers of the {@link Page} that a listing returns, and sends its records: `link` (RFC 8288), `x-page-size`, `x-page-count`. */
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
        response.setHeader('x-page-count', String(page.count));
        for (const [name, value] of Object.entries(page.headers)) response.setHeader(name, value);
        return arrayOf(page.json);
      }),
    );
  }
}

/** A JSON array, as bytes: a text of it, or of it and the headers, would be one more large thing for the collector. */
function arrayOf(json: readonly string[]): Buffer {
  const bytes = Buffer.allocUnsafe(json.reduce((sum, text) => sum + Buffer.byteLength(text) + 1, json.length === 0 ? 2 : 1));
  let end = 0;
  for (const text of json) {
    bytes[end] = end === 0 ? BEGIN : COMMA;
    end += 1 + bytes.write(text, end + 1);
  }
  if (end === 0) bytes[end++] = BEGIN;
  bytes[end] = END;
  return bytes;
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
