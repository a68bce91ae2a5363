import { Module } from '@nestjs/common';
import { ClosingsModule } from '../closings/closings.module.js';
import { PeriodsController } from './periods.controller.js';
import { PeriodsService } from './periods.service.js';

/** Billing: the subscriptions in a time window, as recorded up to an instant. */
@Module({ imports: [ClosingsModule], controllers: [PeriodsController], providers: [PeriodsService], exports: [PeriodsService] })
export class PeriodsModule {}
