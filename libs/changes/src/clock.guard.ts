import { AUTHORIZATION } from '@fibre/auth';
import { unavailable } from '@fibre/problems';
import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { DatabaseClock } from './database-clock.js';

/** Rejects writes (503) while the service's clock is wrong, because they would get wrong timestamps. */
@Injectable()
export class ClockGuard implements CanActivate {
  constructor(
    private readonly clock: DatabaseClock,
    private readonly reflector: Reflector,
  ) {}

  canActivate(context: ExecutionContext): boolean {
    const required = this.reflector.getAllAndOverride(AUTHORIZATION, [context.getHandler(), context.getClass()]);
    if (required?.anyOf.some((scope) => scope.endsWith(':write')) && this.clock.isWrong)
      throw unavailable('The clock of this service differs from the clock of its database; nothing was done.');
    return true;
  }
}
