import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { Principal, Scopes } from './principal.js';

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

/** What the caller's token allows, for routes whose scope depends on the record. */
export const Granted = createParamDecorator((_data: unknown, context: ExecutionContext): Scopes => principalOf(context).scopes);
