import { AUTHORIZATION } from '@fibre/auth';
import { unavailable } from '@fibre/problems';
import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { DatabaseClock } from './database-clock.js';

/** Refuses writes (503) while the clock that would stamp them is wrong: they would count as recorded at another time than they were. */
@Injectable()
export class ClockGuard implements CanActivate {
  constructor(
    private readonly clock: DatabaseClock,
    private readonly reflector: Reflector,
  ) {}

  canActivate(context: ExecutionContext): boolean {
    const required = this.reflector.getAllAndOverride(AUTHORIZATION, [context.getHandler(), context.getClass()]);
    if (required?.scope.endsWith(':write') && this.clock.isWrong)
      throw unavailable('The clock of this service differs from the clock of its database; nothing was done.');
    return true;
  }
}
