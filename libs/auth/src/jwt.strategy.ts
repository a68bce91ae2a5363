import type { KeyObject } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { decodeJwt, decodeProtectedHeader, type JWTHeaderParameters } from 'jose';
import { ExtractJwt, Strategy } from 'passport-jwt';
import { AUTH_OPTIONS, type AuthOptions } from './auth.options.js';
import { claimAt, type Claims, isObject, namesIn } from './claims.js';
import { ALGORITHMS, KeySet } from './key-set.js';
import { type Principal, Scopes, TENANT } from './principal.js';

/** Tolerated difference between the clocks of issuer and service. */
const CLOCK_TOLERANCE_SECONDS = 30;
/** RFC 9068 section 4 requires `at+jwt`; many issuers send `JWT` or nothing. Other types (RFC 8725 section 3.11) are rejected. */
const TYPES = new Set(['at+jwt', 'application/at+jwt', 'jwt']);

/** Maximum number of characters of the actor; the rest is cut off. */
const MAX_ACTOR = 255;
/** Maximum number of characters of a foreign issuer that are logged. */
const LOGGED_ISSUER = 200;

/** The token is for another service. */
export class OtherAudience extends Error {}

/** Verifies bearer tokens (RFC 6750) that are JWTs (RFC 9068): signature, algorithm, `iss`, `aud`, `exp`, `nbf`. */
@Injectable()
export class JwtStrategy extends PassportStrategy(Strategy, 'jwt') {
  constructor(
    @Inject(AUTH_OPTIONS) private readonly options: AuthOptions,
    keys: KeySet,
  ) {
    const keyOf = async (token: string): Promise<KeyObject> => {
      const header = readHeader(token);
      // Before the key, so that the log names the issuer, and no key of another issuer is looked for. The signature is checked afterwards.
      requireIssuer(token, options.OAUTH_ISSUER);
      return keys.find(header);
    };
    super({
      // Stricter rules come before: see `bearerToken`.
      jwtFromRequest: ExtractJwt.fromAuthHeaderAsBearerToken(),
      issuer: options.OAUTH_ISSUER,
      algorithms: [...ALGORITHMS],
      jsonWebTokenOptions: { clockTolerance: CLOCK_TOLERANCE_SECONDS },
      secretOrKeyProvider: (_request, token: string, done) => {
        // passport-jwt's types require PEM text, but it passes the value on to jsonwebtoken, which also accepts a key object and then
        // doesn't parse PEM for every request.
        keyOf(token).then(
          (key) => done(null, key as unknown as string),
          (error: unknown) => done(error),
        );
      },
    });
  }

  validate(claims: Claims): Principal {
    // jsonwebtoken accepts a token without `exp`, which never expires; RFC 9068 section 2.2 requires `exp`.
    const expiresAt = claims['exp'];
    if (typeof expiresAt !== 'number') throw new Error('the token has no exp claim');
    const { OAUTH_ACTOR_CLAIMS, OAUTH_AUDIENCE, OAUTH_AUDIENCE_CLAIM, OAUTH_SCOPE_CLAIMS, OAUTH_SCOPE_NAMES, OAUTH_TENANT_CLAIM } =
      this.options;
    const audiences = namesIn(claimAt(claims, OAUTH_AUDIENCE_CLAIM));
    if (!audiences.some((audience) => OAUTH_AUDIENCE.includes(audience)))
      throw new OtherAudience(`the ${OAUTH_AUDIENCE_CLAIM} of the token is not ours`);
    const { sub } = claims;
    const tenant = tenantIn(claimAt(claims, OAUTH_TENANT_CLAIM));
    const actor = OAUTH_ACTOR_CLAIMS.map((claim) => actorIn(claimAt(claims, claim))).find((name) => name !== undefined);
    return {
      clientId: firstString(claims['client_id'], claims['azp'], sub),
      ...(typeof sub === 'string' && { subject: sub }),
      ...(actor !== undefined && { actor }),
      ...(tenant !== undefined && { tenant }),
      scopes: new Scopes(new Set(OAUTH_SCOPE_CLAIMS.flatMap((claim) => scopesIn(claimAt(claims, claim)))), OAUTH_SCOPE_NAMES),
      expiresAt,
    };
  }
}

/** @throws Error when the token's header rules it out */
function readHeader(token: string): JWTHeaderParameters {
  const header = decodeProtectedHeader(token);
  if (!ALGORITHMS.some((algorithm) => algorithm === header.alg)) throw new Error('the algorithm of the token is not allowed');
  // RFC 7515 section 4.1.11: a token with an unknown critical extension is invalid.
  if (header.crit !== undefined) throw new Error('the token has critical extensions');
  const { typ } = header as { typ?: unknown };
  if (typ !== undefined && !(typeof typ === 'string' && TYPES.has(typ.toLowerCase())))
    throw new Error('the typ of the token is not that of an access token');
  return header as JWTHeaderParameters;
}

const firstString = (...values: unknown[]): string => values.find((value) => typeof value === 'string') ?? '';

const scopesIn = (claim: unknown): string[] => (typeof claim === 'string' ? claim.split(' ') : namesIn(claim));

/** Some issuers send every attribute as an array. Several tenants are no tenant, because a request belongs to one. */
const tenantIn = (claim: unknown): string | undefined => {
  const [name, ...others] = Array.isArray(claim) ? (claim as unknown[]) : isObject(claim) ? namesIn(claim) : [claim];
  return others.length === 0 && typeof name === 'string' && TENANT.test(name) ? name : undefined;
};

/**
 * The first text in a claim, as it can be stored: a control character, of which the database refuses one, and half a character become
 * U+FFFD rather than nothing, so that nobody gets the name of somebody else.
 */
const actorIn = (claim: unknown): string | undefined => {
  const name = namesIn(claim).find((text) => text !== '');
  return name && [...name.toWellFormed().replaceAll(/\p{Cc}/gu, '\uFFFD')].slice(0, MAX_ACTOR).join('');
};

/** @throws Error that names the issuer, if it is another one */
function requireIssuer(token: string, ours: string): void {
  const { iss } = decodeJwt(token) as { iss?: unknown };
  if (iss === ours) return;
  const theirs = typeof iss === 'string' ? `another one: ${JSON.stringify(iss.slice(0, LOGGED_ISSUER))}` : 'missing';
  throw new Error(`the issuer of the token is ${theirs}`);
}
