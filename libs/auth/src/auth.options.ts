export const AUTH_OPTIONS = Symbol('AUTH_OPTIONS');

/** The settings that say how tokens are verified. */
export interface AuthOptions {
  /** Issuer identifier, exactly as in the `iss` claim; base of the discovery document. */
  readonly OAUTH_ISSUER: string;
  /** URL of the key set; when absent, read from the discovery document. */
  readonly OAUTH_JWKS_URI?: string;
  /** Accepted audiences: a token must be for one of them. */
  readonly OAUTH_AUDIENCE: readonly string[];
  /** Claim that says whom a token is for: `aud`, or with issuers that do not send it, the one that they send instead. */
  readonly OAUTH_AUDIENCE_CLAIM: string;
  /** Claim that contains the tenant, or the path of such a claim. */
  readonly OAUTH_TENANT_CLAIM: string;
  /** Claims that say who sends a request, or their paths; the first that the token has counts. */
  readonly OAUTH_ACTOR_CLAIMS: readonly string[];
  /** Claims that list scopes, or their paths: text with spaces, an array, or an object with a member for each scope. */
  readonly OAUTH_SCOPE_CLAIMS: readonly string[];
  /** Maps our scope names to the issuer's names, where they differ. */
  readonly OAUTH_SCOPE_NAMES: ReadonlyMap<string, string>;
}
