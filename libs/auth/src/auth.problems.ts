import { Problem } from '@fibre/problems';

/** Quoted string of a challenge parameter (RFC 9110 section 5.6.4). */
const quoted = (value: string): string => `"${value.replaceAll(/["\\]/g, '\\$&')}"`;

/** Both services take the same tokens. */
const REALM = 'open-access-fibre';

const challenge = (parameters: Record<string, string> = {}): Record<string, string> => ({
  'www-authenticate': `Bearer ${Object.entries({ realm: REALM, ...parameters })
    .map(([name, value]) => `${name}=${quoted(value)}`)
    .join(', ')}`,
});

/** No token at all: a challenge without an error (RFC 6750 section 3.1). */
export const tokenMissing = (): Problem =>
  new Problem({
    status: 401,
    code: 'token-missing',
    title: 'An access token is needed',
    detail: 'The request carries no bearer token.',
    hint: 'Send Authorization: Bearer <access token> with a token of the issuer.',
    headers: challenge(),
  });

/**
 * What the caller learns of a token that we do not accept: what who has a good token of our issuer can put right.
 * A forged signature, an unknown key and all the rest look the same; the log has the reason.
 */
const TOKEN_FAULTS = {
  expired: { detail: 'The access token has expired.', hint: 'Get a new token from the issuer.' },
  audience: {
    detail: 'The access token is meant for another service.',
    hint: 'Ask the issuer for a token with the audience of this service.',
  },
  scheme: {
    detail: 'The Authorization header is not Bearer, one space and one token.',
    hint: 'Send one such header, and nothing else in it.',
  },
  other: { detail: 'The access token is not valid.', hint: 'Get a new token from the issuer.' },
};
export type TokenFault = keyof typeof TOKEN_FAULTS;

/** @param cause which check failed, for the log alone */
export const tokenInvalid = (fault: TokenFault, cause: unknown): Problem =>
  new Problem({
    status: 401,
    code: 'token-invalid',
    title: 'The access token is not valid',
    ...TOKEN_FAULTS[fault],
    headers: challenge({ error: 'invalid_token', error_description: TOKEN_FAULTS[fault].detail }),
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
