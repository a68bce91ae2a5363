import type { Request, Response } from 'express';
import type { Page } from './page.js';

/**
 * Sends a page as a plain JSON array with `link` (RFC 8288), `x-page-size` and `x-page-count`.
 *
 * @param publicBaseUrl scheme and host that clients know the service by; without it those of the request
 */
export function sendPage(request: Request, response: Response, page: Page, publicBaseUrl: string | undefined): void {
  response.setHeader('link', pageLinks(request, page, publicBaseUrl));
  response.setHeader('x-page-size', String(page.size));
  response.setHeader('x-page-count', String(page.count));
  response.setHeader('content-type', 'application/json; charset=utf-8');
  // As bytes: Node would join a text with the headers first, and that copy would be one more large thing for the collector.
  const body = Buffer.from(page.json);
  response.setHeader('content-length', body.length);
  response.end(body);
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
