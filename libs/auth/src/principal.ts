/** The verified caller of a request, as `request.user`. */
export interface Principal {
  /** The OAuth client, for the log. */
  readonly clientId: string;
  /** Absent when the token names none; tenant-bound routes refuse such a token. */
  readonly tenant?: string;
  readonly scopes: ReadonlySet<string>;
  /** The token's `exp`, in seconds since 1970. */
  readonly expiresAt: number;
}
