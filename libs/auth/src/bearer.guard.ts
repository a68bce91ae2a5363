import { Problem, unavailable } from '@fibre/problems';
import { type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AuthGuard } from '@nestjs/passport';
import type { Request } from 'express';
import { AUTH_OPTIONS, type AuthOptions } from './auth.options.js';
import { routeClosed, tenantMissing, type TokenFault, tokenInvalid } from './auth.problems.js';
import { AUTHORIZATION, Public } from './authorize.decorator.js';
import { bearerToken } from './bearer-token.js';
import { KeySetUnavailable } from './key-set.js';
import type { Principal } from './principal.js';
import { VerifiedTokens } from './verified-tokens.js';

/** Checks every request: 401 without a valid token, 403 without the scope or tenant that the route requires. */
@Injectable()
export class BearerGuard extends AuthGuard('jwt') {
  private readonly verified = new VerifiedTokens();

  constructor(
    private readonly reflector: Reflector,
    @Inject(AUTH_OPTIONS) private readonly authOptions: AuthOptions,
  ) {
    super();
  }

  override async canActivate(context: ExecutionContext): Promise<boolean> {
    const targets = [context.getHandler(), context.getClass()];
    if (this.reflector.getAllAndOverride(Public, targets)) return true;

    const request = context.switchToHttp().getRequest<Request & { user: Principal }>();
    await this.authenticate(request, context);

    const required = this.reflector.getAllAndOverride(AUTHORIZATION, targets);
    if (!required) throw routeClosed();
    request.user.scopes.require(...required.anyOf);
    if (required.tenant && request.user.tenant === undefined) throw tenantMissing(this.authOptions.tenantClaim);
    return true;
  }

  private async authenticate(request: Request & { user: Principal }, context: ExecutionContext): Promise<void> {
    const token = bearerToken(request);
    const known = this.verified.find(token);
    if (known) {
      request.user = known;
      return;
    }
    await super.canActivate(context);
    this.verified.remember(token, request.user);
  }

  /** Passport's result: `error` if the check itself failed, `info` with the reason if there is no user. */
  override handleRequest<T>(error: unknown, user: T | false, info: unknown): T {
    const cause = error ?? info;
    if (cause instanceof KeySetUnavailable) throw unavailable('The token issuer cannot be reached.', cause);
    if (cause instanceof Problem) throw cause;
    if (cause || !user) throw tokenInvalid(faultOf(cause), cause);
    return user;
  }
}

/** jsonwebtoken checks expiry and audience after the signature, so the sender of a forged token learns nothing about them. */
function faultOf(cause: unknown): TokenFault {
  if (!(cause instanceof Error)) return 'other';
  if (cause.name === 'TokenExpiredError') return 'expired';
  return cause.message.startsWith('jwt audience invalid') ? 'audience' : 'other';
}
