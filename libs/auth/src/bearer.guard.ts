import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AUTH_OPTIONS, type AuthOptions } from './auth.options.js';
import { routeClosed, tenantMissing } from './auth.problems.js';
import { type AuthenticatedRequest, Authentication } from './authentication.js';
import { AUTHORIZATION, Public } from './authorize.decorator.js';

/** Checks every request: 401 without a valid token, 403 without the scope or tenant that the route requires. */
@Injectable()
export class BearerGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly authentication: Authentication,
    @Inject(AUTH_OPTIONS) private readonly options: AuthOptions,
  ) {}

  canActivate(context: ExecutionContext): boolean {
    const targets = [context.getHandler(), context.getClass()];
    if (this.reflector.getAllAndOverride(Public, targets)) return true;

    const caller = this.authentication.callerOf(context.switchToHttp().getRequest<AuthenticatedRequest>());
    const required = this.reflector.getAllAndOverride(AUTHORIZATION, targets);
    if (!required) throw routeClosed();
    caller.scopes.require(...required.anyOf);
    if (required.tenant && caller.tenant === undefined) throw tenantMissing(this.options.OAUTH_TENANT_CLAIM);
    return true;
  }
}
