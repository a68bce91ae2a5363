export const AUTH_OPTIONS = Symbol('AUTH_OPTIONS');

/** How tokens are verified. */
export interface AuthOptions {
  /** Issuer identifier, exactly as in the `iss` claim; base of the discovery document. */
  readonly issuer: string;
  /** Where the keys are, when the issuer's discovery document shall not be asked. */
  readonly jwksUri?: string;
  /** What `aud` has to contain. */
  readonly audience: string;
  /** Claim that names the tenant. */
  readonly tenantClaim: string;
  /** What the issuer calls our scopes, where it calls them otherwise: our name to its name. */
  readonly scopeNames: ReadonlyMap<string, string>;
}
