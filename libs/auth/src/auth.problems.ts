import { Problem } from '@fibre/problems';

/** Quoted string of a challenge parameter (RFC 9110 section 5.6.4). */
const quoted = (value: string): string => `"${value.replaceAll(/["\\]/g, '\\$&')}"`;

const challenge = (parameters: Record<string, string>): Record<string, string> => ({
  'www-authenticate': [
    'Bearer',
    Object.entries(parameters)
      .map(([name, value]) => `${name}=${quoted(value)}`)
      .join(', '),
  ]
    .filter(Boolean)
    .join(' '),
});

/** No token at all: a bare challenge (RFC 6750 section 3.1). */
export const tokenMissing = (): Problem =>
  new Problem({
    status: 401,
    code: 'token-missing',
    title: 'An access token is needed',
    detail: 'The request carries no bearer token.',
    hint: 'Send Authorization: Bearer <access token> with a token of the issuer.',
    headers: challenge({}),
  });

/**
 * A token we do not accept. Which check failed goes to the log alone: to a caller a forged signature and
 * a wrong audience look the same.
 */
export const tokenInvalid = (cause: unknown): Problem =>
  new Problem({
    status: 401,
    code: 'token-invalid',
    title: 'The access token is not valid',
    detail: 'The access token is expired, malformed, or not meant for this service.',
    hint: 'Get a new token from the issuer.',
    headers: challenge({ error: 'invalid_token' }),
    cause,
  });

/** @param scope the missing scope, by the name the issuer has for it. */
export const scopeMissing = (scope: string): Problem =>
  new Problem({
    status: 403,
    code: 'scope-missing',
    title: 'The access token does not allow this',
    detail: `The access token lacks the scope ${scope}.`,
    headers: challenge({ error: 'insufficient_scope', scope }),
  });

export const tenantMissing = (claim: string): Problem =>
  new Problem({
    status: 403,
    code: 'tenant-missing',
    title: 'The access token names no tenant',
    detail: `The access token has no valid ${claim} claim, and this operation belongs to a tenant.`,
    headers: challenge({ error: 'insufficient_scope', error_description: `the token names no ${claim}` }),
  });

/** A route that declares no scope is closed to everyone. */
export const routeClosed = (): Problem =>
  new Problem({
    status: 403,
    code: 'route-closed',
    title: 'Nobody may call this',
    detail: 'This operation declares no scope and is closed.',
    headers: challenge({ error: 'insufficient_scope' }),
  });
