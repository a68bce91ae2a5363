import type { IncomingMessage } from 'node:http';
import { tokenInvalid, tokenMissing } from './auth.problems.js';

/** RFC 6750 section 2.1 and RFC 9110 section 11.1; every character has one way to match, so long headers cost nothing. */
const BEARER = /^Bearer ([A-Za-z0-9\-._~+/]+=*)$/i;

/**
 * The token of a request, by its one Authorization header: not passport-jwt's way, which takes the first two words of it.
 *
 * @throws Problem
 */
export function bearerToken(request: IncomingMessage): string {
  // request.headers has the first of several; a proxy before us may have judged another one.
  const [authorization, second] = request.headersDistinct['authorization'] ?? [];
  if (authorization === undefined) throw tokenMissing();
  const token = second === undefined ? BEARER.exec(authorization)?.[1] : undefined;
  if (token === undefined) throw tokenInvalid('scheme', new Error('the Authorization header is not one bearer token'));
  return token;
}
