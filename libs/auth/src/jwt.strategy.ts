import { createPublicKey, type KeyObject } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import jwksRsa, { type JwksClient } from 'jwks-rsa';
import { ExtractJwt, Strategy, type StrategyOptionsWithoutRequest } from 'passport-jwt';
import { AUTH_OPTIONS, type AuthOptions } from './auth.options.js';
import { KeySet } from './key-set.js';
import type { Principal } from './principal.js';

/** Asymmetric algorithms alone: with a symmetric one anybody who has the public key could sign. */
const ALGORITHMS: StrategyOptionsWithoutRequest['algorithms'] = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
];
/** Clocks of issuer and service may differ by this much. */
const CLOCK_TOLERANCE_SECONDS = 30;
/** How long a key is used before the key set is asked again. */
const KEY_TTL_MS = 10 * 60 * 1_000;
const TENANT = /^[a-z][a-z0-9._-]{0,62}$/;

type Claims = Readonly<Record<string, unknown>>;

/** Verifies bearer tokens (RFC 6750) that are JWTs (RFC 9068): signature, algorithm, `iss`, `aud`, `exp`, `nbf`. */
@Injectable()
export class JwtStrategy extends PassportStrategy(Strategy, 'jwt') {
  constructor(@Inject(AUTH_OPTIONS) private readonly options: AuthOptions) {
    const keys = new SigningKeys(new KeySet(options.issuer, options.jwksUri));
    super({
      jwtFromRequest: ExtractJwt.fromAuthHeaderAsBearerToken(),
      issuer: options.issuer,
      audience: options.audience,
      algorithms: ALGORITHMS,
      jsonWebTokenOptions: { clockTolerance: CLOCK_TOLERANCE_SECONDS },
      secretOrKeyProvider: (_request, token: string, done) => {
        // passport-jwt declares PEM text, and hands on what it gets to jsonwebtoken, which takes a key object
        // and then need not parse the PEM for every request.
        keys.forToken(token).then(
          (key) => done(null, key as unknown as string),
          (error: unknown) => done(error),
        );
      },
    });
  }

  validate(claims: Claims): Principal {
    // jsonwebtoken takes a token without `exp` for one that never ends; RFC 9068 section 2.2 demands it.
    const expiresAt = claims['exp'];
    if (typeof expiresAt !== 'number') throw new Error('the token has no exp claim');
    const tenant = claims[this.options.tenantClaim];
    return {
      clientId: firstString(claims['client_id'], claims['azp'], claims['sub']),
      ...(typeof tenant === 'string' && TENANT.test(tenant) && { tenant }),
      scopes: new Set([...scopesIn(claims['scope']), ...scopesIn(claims['scp'])]),
      expiresAt,
    };
  }
}

/** Public keys by key id, each parsed once. */
class SigningKeys {
  private readonly client: JwksClient;
  private readonly parsed = new Map<string, KeyObject>();

  constructor(keySet: KeySet) {
    this.client = jwksRsa({ fetcher: () => keySet.fetch(), cacheMaxAge: KEY_TTL_MS });
  }

  /** @throws Error when the token has no header, SigningKeyNotFoundError, KeySetUnavailable */
  async forToken(token: string): Promise<KeyObject> {
    const header = JSON.parse(Buffer.from(token.split('.', 1)[0] ?? '', 'base64url').toString()) as { kid?: unknown; crit?: unknown };
    // RFC 7515 section 4.1.11: an extension that we do not know makes the token invalid.
    if (header.crit !== undefined) throw new Error('the token has critical extensions');
    const { publicKey: pem } = (await this.client.getSigningKey(typeof header.kid === 'string' ? header.kid : undefined)) as {
      publicKey: string;
    };
    let key = this.parsed.get(pem);
    if (!key) {
      key = createPublicKey(pem);
      this.parsed.set(pem, key);
    }
    return key;
  }
}

const firstString = (...values: unknown[]): string => values.find((value) => typeof value === 'string') ?? '';

const scopesIn = (claim: unknown): string[] => {
  if (typeof claim === 'string') return claim.split(' ');
  return Array.isArray(claim) ? claim.filter((scope) => typeof scope === 'string') : [];
};
