export const AUTH_OPTIONS = Symbol('AUTH_OPTIONS');

/** How tokens are verified. */
export interface AuthOptions {
  /** Issuer identifier, exactly as in the `iss` claim; base of the discovery document. */
  readonly issuer: string;
  /** URL of the key set; when absent, read from the discovery document. */
  readonly jwksUri?: string;
  /** Required value of `aud`. */
  readonly audience: string;
  /** Claim that contains the tenant. */
  readonly tenantClaim: string;
  /** Claims that list scopes: text with spaces, or an array. */
  readonly scopeClaims: readonly string[];
  /** Maps our scope names to the issuer's names, where they differ. */
  readonly scopeNames: ReadonlyMap<string, string>;
}
