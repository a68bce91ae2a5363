import { type DynamicModule, Module } from '@nestjs/common';
import type { SettleTimes } from './changes.sql.js';
import { SETTLE_TIMES, SettledTime } from './settled-time.js';

/** Determines the instant up to which all writes are visible. */
@Module({})
export class ChangesModule {
  static forRoot(times: SettleTimes): DynamicModule {
    return {
      module: ChangesModule,
      global: true,
      providers: [SettledTime, { provide: SETTLE_TIMES, useValue: times }],
      exports: [SettledTime],
    };
  }
}
