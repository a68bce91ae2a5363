import type { NestExpressApplication } from '@nestjs/platform-express';

type CorsOptions = Extract<Parameters<NestExpressApplication['enableCors']>[0], object>;

/** Request headers that pages may send in addition to the default ones. */
const ALLOWED = [
  'authorization',
  'content-encoding',
  'content-type',
  'idempotency-key',
  'if-match',
  'if-none-match',
  'namespace',
  'traceparent',
  'tracestate',
  'x-request-id',
];
/** Response headers that pages may read in addition to the default ones. */
const EXPOSED = [
  'content-disposition',
  'etag',
  'link',
  'location',
  'retry-after',
  'www-authenticate',
  'x-lines-at',
  'x-more',
  'x-page-count',
  'x-page-size',
  'x-recorded-until',
  'x-request-id',
  'x-settled-until',
  'x-timezone-release',
];

/** Lets pages from other origins, such as a portal on another host, call the API (CORS). */
export const crossOrigin = (origins: readonly string[]): CorsOptions => ({
  origin: [...origins],
  // The token is in a header that the page sets; cookies and other browser credentials are not used.
  credentials: false,
  methods: ['GET', 'HEAD', 'PUT', 'POST', 'PATCH', 'DELETE'],
  allowedHeaders: ALLOWED,
  exposedHeaders: EXPOSED,
  maxAge: 600,
});
