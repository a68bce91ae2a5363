import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { Principal } from './principal.js';

/** The caller's tenant, a string. Only on tenant-bound routes, where the guard has seen to it that there is one. */
export const Tenant = createParamDecorator((_data: unknown, context: ExecutionContext): string => {
  const { user } = context.switchToHttp().getRequest<Request & { user: Principal }>();
  if (user.tenant === undefined) throw new Error('@Tenant() on a route that is not tenant-bound');
  return user.tenant;
});
