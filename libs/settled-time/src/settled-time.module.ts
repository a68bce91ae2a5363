import { type DynamicModule, Module } from '@nestjs/common';
import type { SettleTimes } from './settled-time.sql.js';
import { SETTLE_TIMES, SettledTime } from './settled-time.js';

/** Determines the instant up to which all writes are visible. */
@Module({})
export class SettledTimeModule {
  static forRoot(times: SettleTimes): DynamicModule {
    return {
      module: SettledTimeModule,
      global: true,
      providers: [SettledTime, { provide: SETTLE_TIMES, useValue: times }],
      exports: [SettledTime],
    };
  }
}
