import type { IncomingMessage } from 'node:http';
import { tokenInvalid, tokenMissing } from './auth.problems.js';

/** RFC 6750 section 2.1 and RFC 9110 section 11.1; the expression never backtracks, so long headers are cheap. */
const BEARER = /^Bearer ([A-Za-z0-9\-._~+/]+=*)$/i;

/**
 * The bearer token of a request. passport-jwt's extractor would accept a header with anything after the first two words.
 *
 * @throws Problem
 */
export function bearerToken(request: IncomingMessage): string {
  // request.headers keeps only the first of several Authorization headers; a proxy may have checked a different one.
  const [authorization, second] = request.headersDistinct['authorization'] ?? [];
  if (authorization === undefined) throw tokenMissing();
  const token = second === undefined ? BEARER.exec(authorization)?.[1] : undefined;
  if (token === undefined) throw tokenInvalid('scheme', new Error('the Authorization header is not a single bearer token'));
  return token;
}
