import { Module } from '@nestjs/common';
import { PeriodsController } from './periods.controller.js';
import { PeriodsService } from './periods.service.js';

/** Billing: the subscriptions in a time window, as recorded up to an instant. */
@Module({ controllers: [PeriodsController], providers: [PeriodsService] })
export class PeriodsModule {}
