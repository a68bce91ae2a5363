import { KeyObject } from 'node:crypto';
import { Logger } from '@nestjs/common';
import { createLocalJWKSet, errors, type JWK, type JWTHeaderParameters } from 'jose';

/** Only asymmetric algorithms: with a symmetric one, anyone with the public key could sign. */
export const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512'] as const;

/** Longest wait for a response from the issuer. */
const TIMEOUT_MS = 5_000;
/** Maximum number of bytes, and of keys, in a response. */
const [MAX_RESPONSE_BYTES, MAX_KEYS] = [256 * 1_024, 100];
/** Age at which keys are fetched again in the background. */
const FRESH_MS = 10 * 60 * 1_000;
/** How long the last key set is trusted while the issuer is unreachable. */
const STALE_MS = 24 * 60 * 60 * 1_000;
/** Shortest time between two requests to the issuer, so that made-up key ids cannot make us flood it. */
const COOL_DOWN_MS = 10_000;
/**
 * Shortest time between two requests until the first key set arrives; it is doubled after each failure. A service may start shortly before
 * its issuer.
 */
const FIRST_COOL_DOWN_MS = 1_000;

/** The key set could not be fetched, and no recent key set is known. */
export class KeySetUnavailable extends Error {}

/**
 * The issuer's JSON Web Key Set (RFC 7517), found through OpenID Connect Discovery 1.0 (section 4).
 *
 * jose's createRemoteJWKSet is not used, because it retries failed requests without a pause, accepts an empty set and a response of any
 * size, and drops old keys while the issuer is down.
 */
export class KeySet {
  private readonly logger = new Logger(KeySet.name);
  private known?: { readonly find: ReturnType<typeof createLocalJWKSet>; readonly at: number };
  private pending?: Promise<void>;
  private nextRequestAt = -Infinity;
  private failures = 0;
  private refresh?: NodeJS.Timeout;
  private lastError?: Error;

  constructor(
    private readonly issuer: string,
    private readonly jwksUri?: string,
  ) {}

  /**
   * The only key that may verify a token with this header, selected by `kid`, key type, curve, and the key's own `alg`, `use` and
   * `key_ops`.
   *
   * @throws KeySetUnavailable, or jose's error if there is no such key
   */
  async keyFor(header: JWTHeaderParameters): Promise<KeyObject> {
    try {
      return await this.find(header);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey) && !(error instanceof KeySetUnavailable)) throw error;
    }
    // The issuer may have added a new key.
    await this.renew();
    return this.find(header);
  }

  private async find(header: JWTHeaderParameters): Promise<KeyObject> {
    if (!this.known || performance.now() - this.known.at > STALE_MS) {
      throw new KeySetUnavailable(`no keys from ${this.issuer}: ${this.lastError?.message}`, { cause: this.lastError });
    }
    return KeyObject.from(await this.known.find(header));
  }

  /** Fetches the key set, unless it was requested a moment ago. */
  private async renew(): Promise<void> {
    if (!this.pending && performance.now() >= this.nextRequestAt) this.pending = this.request().finally(() => (this.pending = undefined));
    await this.pending;
  }

  private async request(): Promise<void> {
    let coolDown = COOL_DOWN_MS;
    try {
      const find = await usableKeys(await getJson(this.jwksUri ?? (await this.discover())));
      this.known = { find, at: performance.now() };
      this.lastError = undefined;
    } catch (error) {
      this.lastError = error as Error;
      if (!this.known) coolDown = Math.min(COOL_DOWN_MS, FIRST_COOL_DOWN_MS * 2 ** this.failures++);
      this.logger.warn(
        { err: error, issuer: this.issuer },
        `the issuer sent no key set; ${this.known ? 'the known keys stay in use' : 'no keys are known'}`,
      );
    }
    this.nextRequestAt = performance.now() + coolDown;
    if (this.known) this.refreshLater(this.lastError ? COOL_DOWN_MS : FRESH_MS);
  }

  /** Fetches the keys in the background, so that no request waits for a slow issuer while keys are known. */
  private refreshLater(ms: number): void {
    clearTimeout(this.refresh);
    this.refresh = setTimeout(() => void this.renew(), ms).unref();
  }

  private async discover(): Promise<string> {
    const url = `${this.issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
    const { issuer, jwks_uri: jwksUri } = await getJson(url);
    if (issuer !== this.issuer) throw new Error(`${url} belongs to another issuer`);
    if (typeof jwksUri !== 'string' || !URL.canParse(jwksUri)) throw new Error(`${url} has no jwks_uri`);
    // Over plain HTTP, anyone on the network could replace the keys.
    if (new URL(url).protocol === 'https:' && new URL(jwksUri).protocol !== 'https:')
      throw new Error(`the jwks_uri of ${url} is not https`);
    return jwksUri;
  }
}

/** Does not follow redirects and limits the size of the response, because these keys decide who gets in. */
async function getJson(url: string): Promise<Record<string, unknown>> {
  const headers = { accept: 'application/json, application/jwk-set+json' };
  const response = await fetch(url, { headers, redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) });
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
async function usableKeys(document: Record<string, unknown>): Promise<ReturnType<typeof createLocalJWKSet>> {
  const keys = document['keys'] as JWK[];
  if (!Array.isArray(keys)) throw new Error('the key set has no keys');
  if (keys.length > MAX_KEYS) throw new Error(`the key set has more than ${MAX_KEYS} keys`);
  const find = createLocalJWKSet({ keys });
  for (const { kid } of keys) {
    for (const alg of ALGORITHMS) {
      if (await find({ alg, kid }).catch(() => undefined)) return find;
    }
  }
  throw new Error('the key set has no key that could verify a token');
}
