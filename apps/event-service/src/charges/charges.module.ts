import { Module } from '@nestjs/common';
import { ClosingsModule } from '../closings/closings.module.js';
import { IspsModule } from '../isps/isps.module.js';
import { PeriodsModule } from '../periods/periods.module.js';
import { ChargesController } from './charges.controller.js';
import { ChargesService } from './charges.service.js';

/** What operators charge an ISP, for the ISP itself. */
@Module({ imports: [ClosingsModule, IspsModule, PeriodsModule], controllers: [ChargesController], providers: [ChargesService] })
export class ChargesModule {}
