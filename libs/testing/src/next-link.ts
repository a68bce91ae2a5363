import LinkHeader from 'http-link-header';
import type { Response } from 'supertest';

/** The link to the next page of a listing or change feed, if there is one. */
export function nextOf({ headers }: Response): URL | undefined {
  const [next] = LinkHeader.parse(headers['link'] ?? '').rel('next');
  return next && new URL(next.uri);
}
