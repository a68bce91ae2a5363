import { type DynamicModule, Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { ClockGuard } from './clock.guard.js';
import { DatabaseClock } from './database-clock.js';
import { SETTLE_SECONDS, SettledTime } from './settled-time.js';

/** Determines the instant up to which all writes are visible, and rejects writes while a wrong clock would break that guarantee. */
@Module({})
export class ChangesModule {
  /**
   * @param settleSeconds by how many seconds a row's timestamp may precede its transaction: the deadline of a request plus clock skew
   */
  static forRoot(settleSeconds: number): DynamicModule {
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
