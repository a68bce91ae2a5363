import type { Principal } from './principal.js';

/** Maximum number of tokens to remember; the oldest is dropped first. */
const MAX_TOKENS = 1_000;
/** How long a result is kept: after at most a minute, a token is verified again with the keys known by then. */
const MAX_AGE_MS = 60_000;

/**
 * Remembers accepted tokens, because clients send the same one until it expires.
 *
 * Checking a signature takes 0.15 ms, a quarter of the CPU time of a whole search. Rejected tokens are not remembered, so nobody can
 * exhaust memory with made-up tokens; accepted tokens are dropped at their `exp`.
 */
export class VerifiedTokens {
  private readonly verdicts = new Map<string, { readonly principal: Principal; readonly until: number }>();

  find(token: string): Principal | undefined {
    const verdict = this.verdicts.get(token);
    if (!verdict || verdict.until > Date.now()) return verdict?.principal;
    this.verdicts.delete(token);
    return undefined;
  }

  remember(token: string, principal: Principal): void {
    const [oldest] = this.verdicts.keys();
    if (this.verdicts.size >= MAX_TOKENS && oldest !== undefined) this.verdicts.delete(oldest);
    this.verdicts.set(token, { principal, until: Math.min(Date.now() + MAX_AGE_MS, principal.expiresAt * 1_000) });
  }
}
