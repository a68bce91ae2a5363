import { Problem, unavailable } from '@fibre/problems';
import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import passport from 'passport';
import { type TokenFault, tokenInvalid, tokenMissing } from './auth.problems.js';
import { bearerToken } from './bearer-token.js';
import { isUnknownKey, KeySet, KeySetUnavailable } from './key-set.js';
import { JwtStrategy } from './jwt.strategy.js';
import type { Principal } from './principal.js';
import { VerifiedTokens } from './verified-tokens.js';

/** A request whose token has been verified. */
export type AuthenticatedRequest = Request & { user?: Principal };

/**
 * Finds out who sends a request, before the request takes anything else from the service. What is wrong with a token is kept for the guard,
 * because a path that does not exist is 404 whatever the token.
 */
@Injectable()
export class Authentication {
  private readonly verified = new VerifiedTokens();
  private readonly faults = new WeakMap<Request, Error>();

  constructor(
    private readonly keys: KeySet,
    private readonly strategy: JwtStrategy,
  ) {}

  /** The caller, if the token has been verified in the last minute. */
  recall(request: Request): Principal | undefined {
    try {
      return ((request as AuthenticatedRequest).user = this.verified.find(bearerToken(request)));
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
    if (this.faults.has(request)) return undefined;
    try {
      const caller = await this.authenticate(request, response).catch(async (fault: Problem) => {
        if (!isUnknownKey(fault.cause)) throw fault;
        await limited(() => this.keys.renew());
        return this.authenticate(request, response);
      });
      this.verified.remember(bearerToken(request), caller);
      return ((request as AuthenticatedRequest).user = caller);
    } catch (fault) {
      this.faults.set(request, fault as Error);
      return undefined;
    }
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

function problemOf(cause: unknown): Problem {
  if (cause instanceof KeySetUnavailable) return unavailable('The token issuer cannot be reached.', cause);
  return cause instanceof Problem ? cause : tokenInvalid(faultOf(cause), cause);
}

/** jsonwebtoken checks expiry and audience after the signature, so the sender of a forged token learns nothing about them. */
function faultOf(cause: unknown): TokenFault {
  if (!(cause instanceof Error)) return 'other';
  if (cause.name === 'TokenExpiredError') return 'expired';
  return cause.message.startsWith('jwt audience invalid') ? 'audience' : 'other';
}
