import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { scopeMissing } from './auth.problems.js';

/** The name of a tenant. */
export const TENANT = /^[a-z0-9][a-z0-9._-]{0,62}$/;

/** What a token allows, using our names for the scopes. */
export class Scopes {
  /** @param names maps our scope names to the issuer's names, where they differ */
  constructor(
    private readonly granted: ReadonlySet<string>,
    private readonly names: ReadonlyMap<string, string>,
  ) {}

  has(scope: string): boolean {
    return this.granted.has(this.nameOf(scope));
  }

  /** @throws Problem 403 if the token has none of these scopes */
  require(...anyOf: readonly [string, ...string[]]): void {
    if (!anyOf.some((scope) => this.has(scope))) throw scopeMissing(this.nameOf(anyOf[0]));
  }

  private nameOf(scope: string): string {
    return this.names.get(scope) ?? scope;
  }
}

/** The verified caller of a request, as `request.user`. */
export interface Principal {
  /** The OAuth client, for the log. */
  readonly clientId: string;
  /** The `sub` of the token, for the log: the person, if a person has signed in. */
  readonly subject?: string;
  /** Who sends the request, for the records that it changes and for the log; absent if the token has none of the claims that say so. */
  readonly actor?: string;
  /** Absent if the token names no tenant; tenant-bound routes reject such tokens. */
  readonly tenant?: string;
  readonly scopes: Scopes;
  /** The token's `exp`, in seconds since 1970. */
  readonly expiresAt: number;
}

const principalOf = (context: ExecutionContext): Principal => context.switchToHttp().getRequest<Request & { user: Principal }>().user;

/** Identifies a caller for limits per client: by its tenant, or by its OAuth client if it has no tenant. */
export const callerName = ({ tenant, clientId }: Principal): string => tenant ?? `client ${clientId}`;

/** The {@link callerName} of the caller. */
export const Caller = createParamDecorator((_data: unknown, context: ExecutionContext): string => callerName(principalOf(context)));

/** The caller's tenant. Only for tenant-bound routes, where the guard makes sure that there is a tenant. */
export const Tenant = createParamDecorator((_data: unknown, context: ExecutionContext): string => {
  const { tenant } = principalOf(context);
  if (tenant === undefined) throw new Error('@Tenant() on a route that is not tenant-bound');
  return tenant;
});

/** Who is recorded as the author of what the request changes; null if the token does not say. */
export const Actor = createParamDecorator((_data: unknown, context: ExecutionContext): string | null => principalOf(context).actor ?? null);

/** What the caller's token allows, for routes whose scope depends on the record. */
export const Granted = createParamDecorator((_data: unknown, context: ExecutionContext): Scopes => principalOf(context).scopes);
