import { Logger } from '@nestjs/common';

/** Longest wait for an answer of the issuer. */
const TIMEOUT_MS = 5_000;
/** Least time between two requests to the issuer, so that tokens with made-up key ids cannot make us flood it. */
const COOL_DOWN_MS = 10_000;
/** How long the last key set is trusted while the issuer cannot be reached. */
const STALE_MS = 24 * 60 * 60 * 1_000;

interface KeySetDocument {
  readonly keys: unknown[];
}

/** No key set could be had, and none that is young enough is known. */
export class KeySetUnavailable extends Error {}

/**
 * The issuer's JSON Web Key Set (RFC 7517), found by its metadata (OpenID Connect Discovery 1.0 section 4).
 *
 * Stands between jwks-rsa and the network for what that leaves open: its own rate limit would let a flood of
 * unknown key ids shut out known ones, and its fallback does not cover discovery.
 */
export class KeySet {
  private readonly logger = new Logger(KeySet.name);
  private last?: { document: KeySetDocument; at: number };
  private lastAttemptAt = -Infinity;
  private pending?: Promise<KeySetDocument>;

  constructor(
    private readonly issuer: string,
    private jwksUri?: string,
  ) {}

  /** @throws KeySetUnavailable */
  async fetch(): Promise<KeySetDocument> {
    if (this.pending) return this.pending;
    if (this.last && Date.now() - this.lastAttemptAt < COOL_DOWN_MS) return this.last.document;
    this.lastAttemptAt = Date.now();
    this.pending = this.request().finally(() => (this.pending = undefined));
    return this.pending;
  }

  private async request(): Promise<KeySetDocument> {
    try {
      this.jwksUri ??= await this.discover();
      const document = await getJson(this.jwksUri);
      if (!Array.isArray(document['keys'])) throw new Error(`${this.jwksUri} is not a key set`);
      this.last = { document: { keys: document['keys'] as unknown[] }, at: Date.now() };
      return this.last.document;
    } catch (error) {
      if (!this.last || Date.now() - this.last.at > STALE_MS) {
        throw new KeySetUnavailable(`no keys from ${this.issuer}: ${(error as Error).message}`, { cause: error });
      }
      this.logger.warn({ err: error, issuer: this.issuer }, 'issuer not reachable, known keys stay in use');
      return this.last.document;
    }
  }

  private async discover(): Promise<string> {
    const url = `${this.issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
    const metadata = await getJson(url);
    if (metadata['issuer'] !== this.issuer) throw new Error(`${url} speaks for the issuer ${String(metadata['issuer'])}`);
    if (typeof metadata['jwks_uri'] !== 'string') throw new Error(`${url} names no jwks_uri`);
    return metadata['jwks_uri'];
  }
}

async function getJson(url: string): Promise<Record<string, unknown>> {
  const response = await fetch(url, { headers: { accept: 'application/json' }, signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  return (await response.json()) as Record<string, unknown>;
}
