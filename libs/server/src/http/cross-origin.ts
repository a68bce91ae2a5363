import type { NestExpressApplication } from '@nestjs/platform-express';

type CorsOptions = Extract<Parameters<NestExpressApplication['enableCors']>[0], object>;

/** What pages may send besides what they always may. */
const ALLOWED = ['authorization', 'content-type', 'idempotency-key', 'if-match', 'if-none-match', 'namespace', 'x-request-id'];
/** What pages may read besides what they always may. */
const EXPOSED = [
  ...['content-disposition', 'etag', 'link', 'location', 'retry-after', 'www-authenticate'],
  ...['x-page-count', 'x-page-size', 'x-recorded-until', 'x-request-id'],
];

/** Lets pages of other origins call the API (the CORS protocol of the Fetch standard): the portal, where it is on another host. */
export const crossOrigin = (origins: readonly string[]): CorsOptions => ({
  origin: [...origins],
  // The token comes in a header that the page sets; cookies and other credentials of the browser are of no use.
  credentials: false,
  methods: ['GET', 'HEAD', 'PUT', 'POST', 'PATCH', 'DELETE'],
  allowedHeaders: ALLOWED,
  exposedHeaders: EXPOSED,
  maxAge: 600,
});
