export const AUTH_OPTIONS = Symbol('AUTH_OPTIONS');

/** The settings that say how tokens are verified. */
export interface AuthOptions {
  /** Issuer identifier, exactly as in the `iss` claim; base of the discovery document. */
  readonly OAUTH_ISSUER: string;
  /** URL of the key set; when absent, read from the discovery document. */
  readonly OAUTH_JWKS_URI?: string;
  /** Required value of `aud`. */
  readonly OAUTH_AUDIENCE: string;
  /** Claim that contains the tenant. */
  readonly OAUTH_TENANT_CLAIM: string;
  /** Claims that list scopes: text with spaces, or an array. */
  readonly OAUTH_SCOPE_CLAIMS: readonly string[];
  /** Maps our scope names to the issuer's names, where they differ. */
  readonly OAUTH_SCOPE_NAMES: ReadonlyMap<string, string>;
}
