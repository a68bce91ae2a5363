import { type DynamicModule, Module } from '@nestjs/common';
import { PeriodsController } from './periods.controller.js';
import { PeriodsRepository } from './periods.repository.js';
import { PERIODS_MAX_SECONDS, PeriodsService } from './periods.service.js';

/** Billing: the subscriptions in a time window, as recorded up to an instant. */
@Module({})
export class PeriodsModule {
  static forRoot(maxSeconds: number): DynamicModule {
    return {
      module: PeriodsModule,
      controllers: [PeriodsController],
      providers: [PeriodsRepository, PeriodsService, { provide: PERIODS_MAX_SECONDS, useValue: maxSeconds }],
    };
  }
}
