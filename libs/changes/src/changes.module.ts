import { type DynamicModule, Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { ClockGuard } from './clock.guard.js';
import { DatabaseClock } from './database-clock.js';
import { SETTLE_SECONDS, SettledTime } from './settled-time.js';

export interface ChangesOptions {
  /** Seconds that a write may be older than the transaction that makes it: the deadline of a request, and the skew of clocks. */
  readonly settleSeconds: number;
}

/** Says up to which instant everything that was recorded can be read, and refuses writes by a clock that would make that untrue. */
@Module({})
export class ChangesModule {
  static forRoot({ settleSeconds }: ChangesOptions): DynamicModule {
    return {
      module: ChangesModule,
      global: true,
      providers: [
        DatabaseClock,
        SettledTime,
        { provide: SETTLE_SECONDS, useValue: settleSeconds },
        { provide: APP_GUARD, useClass: ClockGuard },
      ],
      exports: [SettledTime],
    };
  }
}
