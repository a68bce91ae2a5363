import { Problem } from '@fibre/problems';

/** A value as a quoted string (RFC 9110 section 5.6.4). */
const quoted = (value: string): string => `"${value.replaceAll(/["\\]/g, '\\$&')}"`;

/** Both services have the same realm, because they accept the same tokens. */
const REALM = 'open-access-fibre';

const challenge = (parameters: Record<string, string> = {}): Record<string, string> => ({
  'www-authenticate': `Bearer ${Object.entries({ realm: REALM, ...parameters })
    .map(([name, value]) => `${name}=${quoted(value)}`)
    .join(', ')}`,
});

/** No token at all: a challenge without an error (RFC 6750 section 3.1). */
export const tokenMissing = (): Problem =>
  new Problem(401, 'token-missing', 'Access token required', {
    detail: 'The request has no bearer token.',
    hint: 'Send Authorization: Bearer <access token> with a token from the issuer.',
    headers: challenge(),
  });

/**
 * What the client learns about a rejected token: only what it can fix itself. All other faults look the same to the client; the log has the
 * reason.
 */
const TOKEN_FAULTS = {
  expired: { detail: 'The access token has expired.', hint: 'Get a new token from the issuer.' },
  audience: { detail: 'The access token is for another service.', hint: "Request a token with this service's audience from the issuer." },
  scheme: {
    detail: 'The Authorization header must contain Bearer, one space and one token.',
    hint: 'Send exactly one Authorization header.',
  },
  other: { detail: 'The access token is not valid.', hint: 'Get a new token from the issuer.' },
};
export type TokenFault = keyof typeof TOKEN_FAULTS;

/** @param cause the check that failed, only for the log */
export const tokenInvalid = (fault: TokenFault, cause: unknown): Problem =>
  new Problem(401, 'token-invalid', 'The access token is not valid', {
    ...TOKEN_FAULTS[fault],
    headers: challenge({ error: 'invalid_token', error_description: TOKEN_FAULTS[fault].detail }),
    cause,
  });

/** @param scope the missing scope, as the issuer calls it */
export const scopeMissing = (scope: string): Problem =>
  new Problem(403, 'scope-missing', 'The access token does not allow this', {
    detail: `The access token lacks the scope ${scope}.`,
    headers: challenge({ error: 'insufficient_scope', scope }),
  });

export const tenantMissing = (claim: string): Problem =>
  new Problem(403, 'tenant-missing', 'The access token names no tenant', {
    detail: `The access token has no valid ${claim} claim, and this operation needs a tenant.`,
    headers: challenge({ error: 'insufficient_scope', error_description: `the token names no ${claim}` }),
  });

/** A route without `@Authorize` or `@Public` is closed. */
export const routeClosed = (): Problem =>
  new Problem(403, 'route-closed', 'This operation is disabled', {
    detail: 'This operation declares no scope, so no token allows it.',
    headers: challenge({ error: 'insufficient_scope' }),
  });
