import { type DynamicModule, Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { AUTH_OPTIONS, type AuthOptions } from './auth.options.js';
import { BearerGuard } from './bearer.guard.js';
import { JwtStrategy } from './jwt.strategy.js';

/** Requires a token on every route except those marked `@Public`. */
@Module({})
export class AuthModule {
  static forRoot(options: AuthOptions): DynamicModule {
    return {
      module: AuthModule,
      providers: [{ provide: AUTH_OPTIONS, useValue: options }, JwtStrategy, { provide: APP_GUARD, useClass: BearerGuard }],
    };
  }
}
