import type { IncomingMessage } from 'node:http';
import { Problem, unavailable } from '@fibre/problems';
import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import passport from 'passport';
import { AUTH_OPTIONS, type AuthOptions } from './auth.options.js';
import { routeClosed, tenantMissing, type TokenFault, tokenInvalid, tokenMissing } from './auth.problems.js';
import { AUTHORIZATION, Public } from './authorize.decorator.js';
import { isUnknownKey, KeySet, KeySetUnavailable } from './key-set.js';
import { JwtStrategy, OtherAudience } from './jwt.strategy.js';
import type { Principal } from './principal.js';

/** Maximum number of accepted tokens to remember; the oldest is dropped first. */
const MAX_TOKENS = 1_000;
/** How long a token is remembered: after at most a minute, it is verified again with the keys known by then. */
const MAX_AGE_MS = 60_000;

/** A request whose token has been verified. */
export type AuthenticatedRequest = Request & { user?: Principal };

/**
 * Finds out who sends a request, before the request takes anything else from the service. What is wrong with a token is kept for {@link BearerGuard},
 * because a path that does not exist is 404 whatever the token.
 */
@Injectable()
export class Authentication {
  /**
   * Clients send the same token until it expires, and checking a signature takes 0.15 ms, a quarter of the CPU time of a whole search. Rejected
   * tokens are not remembered, so nobody can exhaust memory with made-up tokens.
   */
  private readonly verified = new Map<string, { readonly caller: Principal; readonly until: number }>();
  private readonly faults = new WeakMap<Request, Error>();

  constructor(
    private readonly keys: KeySet,
    private readonly strategy: JwtStrategy,
  ) {}

  /** The caller, if the token has been verified in the last minute. */
  recall(request: Request): Principal | undefined {
    try {
      const remembered = this.verified.get(bearerToken(request));
      if (!remembered || remembered.until <= Date.now()) return undefined;
      return ((request as AuthenticatedRequest).user = remembered.caller);
    } catch (fault) {
      this.faults.set(request, fault as Error);
      return undefined;
    }
  }

  /**
   * Verifies the token.
   *
   * @param limited limits how many tokens wait for the issuer because their keys are not known
   * @returns `undefined` if it is not valid
   */
  async verify(
    request: Request,
    response: Response,
    limited: (wait: () => Promise<void>) => Promise<void>,
  ): Promise<Principal | undefined> {
    try {
      const token = bearerToken(request);
      const caller = await this.authenticate(request, response).catch(async (fault: Problem) => {
        if (!isUnknownKey(fault.cause)) throw fault;
        await limited(() => this.keys.renew());
        return this.authenticate(request, response);
      });
      this.remember(token, caller);
      return ((request as AuthenticatedRequest).user = caller);
    } catch (fault) {
      this.faults.set(request, fault as Error);
      return undefined;
    }
  }

  private remember(token: string, caller: Principal): void {
    const [oldest] = this.verified.keys();
    if (this.verified.size >= MAX_TOKENS && oldest !== undefined) this.verified.delete(oldest);
    this.verified.set(token, { caller, until: Math.min(Date.now() + MAX_AGE_MS, caller.expiresAt * 1_000) });
  }

  /** @throws Problem 401, or 503 if the issuer's keys are not known */
  callerOf(request: AuthenticatedRequest): Principal {
    if (request.user) return request.user;
    throw this.faults.get(request) ?? tokenMissing();
  }

  /** Passport calls back with `error` if the check itself failed, and with the reason as `info` if there is no user. */
  private authenticate(request: Request, response: Response): Promise<Principal> {
    return new Promise((resolve, reject) => {
      const onResult = (error: unknown, user: Principal | false | undefined, info: unknown): void => {
        const cause = error ?? info;
        if (cause || !user) reject(problemOf(cause));
        else resolve(user);
      };
      // Passport finds a strategy by its name in the whole process, but one with other keys may have the same name. It writes on what it gets.
      const strategy = Object.create(this.strategy) as JwtStrategy;
      const handler = passport.authenticate(strategy, { session: false }, onResult) as (...args: unknown[]) => void;
      handler(request, response, reject);
    });
  }
}

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

/** RFC 6750 section 2.1 and RFC 9110 section 11.1; the expression never backtracks, so long headers are cheap. */
const BEARER = /^Bearer ([A-Za-z0-9\-._~+/]+=*)$/i;

/**
 * The bearer token of a request. passport-jwt's extractor would accept a header with anything after the first two words.
 *
 * @throws Problem
 */
export function bearerToken(request: Pick<IncomingMessage, 'headersDistinct'>): string {
  // request.headers keeps only the first of several Authorization headers; a proxy may have checked a different one.
  const [authorization, second] = request.headersDistinct['authorization'] ?? [];
  if (authorization === undefined) throw tokenMissing();
  const token = second === undefined ? BEARER.exec(authorization)?.[1] : undefined;
  if (token === undefined) throw tokenInvalid('scheme', new Error('the Authorization header is not a single bearer token'));
  return token;
}

function problemOf(cause: unknown): Problem {
  if (cause instanceof KeySetUnavailable) return unavailable('The token issuer cannot be reached.', cause);
  return cause instanceof Problem ? cause : tokenInvalid(faultOf(cause), cause);
}

/** Expiry and audience are checked after the signature, so the sender of a forged token learns nothing about them. */
function faultOf(cause: unknown): TokenFault {
  if (!(cause instanceof Error)) return 'other';
  if (cause.name === 'TokenExpiredError') return 'expired';
  return cause instanceof OtherAudience ? 'audience' : 'other';
}
