import { KeyObject } from 'node:crypto';
import { Inject, Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { createLocalJWKSet, createRemoteJWKSet, customFetch, errors, type JWK, type JWTHeaderParameters } from 'jose';
import { AUTH_OPTIONS, type AuthOptions } from './auth.options.js';

/** Only asymmetric algorithms: with a symmetric one, anyone with the public key could sign. */
export const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512'] as const;

/** Longest time in which the issuer must send the key set, including the discovery document. */
const TIMEOUT_MS = 5_000;
/** Maximum number of bytes, and of keys, in a response. */
const [MAX_RESPONSE_BYTES, MAX_KEYS] = [256 * 1_024, 100];
/** Age at which keys are fetched again in the background. */
const FRESH_MS = 10 * 60 * 1_000;
/** How long the last key set is trusted while the issuer is unreachable. */
const STALE_MS = 24 * 60 * 60 * 1_000;
/** Shortest time between two requests to the issuer, so that made-up key ids cannot make us flood it. */
const PAUSE_MS = 10_000;
/** The same until the first key set arrives; doubled after each failure. A service may start shortly before its issuer. */
const FIRST_PAUSE_MS = 1_000;

/** The key set could not be fetched, and no recent key set is known. */
export class KeySetUnavailable extends Error {}

/** Whether the key of a token is not known, so that {@link KeySet.renew} may help. */
export const isUnknownKey = (error: unknown): boolean => error instanceof errors.JWKSNoMatchingKey || error instanceof KeySetUnavailable;

/**
 * The issuer's JSON Web Key Set (RFC 7517), found through OpenID Connect Discovery 1.0 (section 4).
 *
 * jose keeps the keys. It would fetch them again for each token with an unknown key, and accept an empty set and a response of any size.
 */
@Injectable()
export class KeySet implements OnApplicationShutdown {
  private readonly logger = new Logger(KeySet.name);
  private readonly keys: ReturnType<typeof createRemoteJWKSet>;
  private nextRequestAt = -Infinity;
  private refreshAt = Infinity;
  private failures = 0;
  private lastError?: Error;
  /** Refreshes the keys in the background, so that no request waits for a slow issuer while keys are known. */
  private readonly refreshing = setInterval(() => {
    if (performance.now() >= this.refreshAt) void this.renew();
  }, PAUSE_MS).unref();

  constructor(@Inject(AUTH_OPTIONS) private readonly options: Pick<AuthOptions, 'OAUTH_ISSUER' | 'OAUTH_JWKS_URI'>) {
    this.keys = createRemoteJWKSet(new URL(options.OAUTH_JWKS_URI ?? options.OAUTH_ISSUER), {
      [customFetch]: (_url, init) => this.request(init),
      timeoutDuration: TIMEOUT_MS,
      cacheMaxAge: STALE_MS,
      cooldownDuration: Infinity,
    });
  }

  onApplicationShutdown(): void {
    clearInterval(this.refreshing);
  }

  /**
   * The only known key that may verify a token with this header, selected by `kid`, key type, curve, and the key's own `alg`, `use` and
   * `key_ops`. Does not wait for the issuer.
   *
   * @throws KeySetUnavailable, or jose's error if there is no such key
   */
  async find(header: JWTHeaderParameters): Promise<KeyObject> {
    const { keys, lastError } = this;
    if (!keys.fresh) throw new KeySetUnavailable(`no keys from ${this.options.OAUTH_ISSUER}: ${lastError?.message}`, { cause: lastError });
    return KeyObject.from(await keys(header));
  }

  /** Fetches the key set, unless it was requested a moment ago. */
  async renew(): Promise<void> {
    if (!this.keys.reloading && performance.now() < this.nextRequestAt) return;
    await this.keys.reload().catch((error: Error) => (this.lastError = error));
  }

  private async request(init: RequestInit): Promise<Response> {
    let pause = PAUSE_MS;
    try {
      const document = await getJson(this.options.OAUTH_JWKS_URI ?? (await this.discover(init)), init);
      await requireUsableKey(document);
      this.refreshAt = performance.now() + FRESH_MS - PAUSE_MS;
      return Response.json(document);
    } catch (error) {
      const { fresh } = this.keys;
      if (!fresh) pause = Math.min(PAUSE_MS, FIRST_PAUSE_MS * 2 ** this.failures++);
      this.logger.warn(
        { err: error, issuer: this.options.OAUTH_ISSUER },
        `the issuer sent no key set; ${fresh ? 'the known keys stay in use' : 'no keys are known'}`,
      );
      throw error;
    } finally {
      this.nextRequestAt = performance.now() + pause;
    }
  }

  private async discover(init: RequestInit): Promise<string> {
    const url = `${this.options.OAUTH_ISSUER.replace(/\/$/, '')}/.well-known/openid-configuration`;
    const { issuer, jwks_uri: jwksUri } = await getJson(url, init);
    if (issuer !== this.options.OAUTH_ISSUER) throw new Error(`${url} belongs to another issuer`);
    if (typeof jwksUri !== 'string' || !URL.canParse(jwksUri)) throw new Error(`${url} has no jwks_uri`);
    // Over plain HTTP, anyone on the network could replace the keys.
    if (new URL(url).protocol === 'https:' && new URL(jwksUri).protocol !== 'https:')
      throw new Error(`the jwks_uri of ${url} is not https`);
    return jwksUri;
  }
}

/** Limits the size of the response. jose's options do not follow redirects, because these keys decide who gets in. */
async function getJson(url: string, init: RequestInit): Promise<Record<string, unknown>> {
  const response = await fetch(url, init);
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    // Leaving the loop closes the connection.
    if (bytes > MAX_RESPONSE_BYTES) throw new Error(`${url} sent more than ${MAX_RESPONSE_BYTES} bytes`);
    chunks.push(chunk);
  }
  if (response.status !== 200) throw new Error(`${url} responded ${response.status}`);
  const document: unknown = JSON.parse(Buffer.concat(chunks).toString());
  if (typeof document !== 'object' || document === null) throw new Error(`${url} did not send a JSON object`);
  return document as Record<string, unknown>;
}

/** @throws Error if there is no usable key, so that a broken issuer cannot replace good keys */
async function requireUsableKey(document: Record<string, unknown>): Promise<void> {
  const keys = document['keys'] as JWK[];
  if (!Array.isArray(keys)) throw new Error('the key set has no keys');
  if (keys.length > MAX_KEYS) throw new Error(`the key set has more than ${MAX_KEYS} keys`);
  const find = createLocalJWKSet({ keys });
  for (const { kid } of keys) {
    for (const alg of ALGORITHMS) {
      if (await find({ alg, kid }).catch(() => undefined)) return;
    }
  }
  throw new Error('the key set has no key that could verify a token');
}
