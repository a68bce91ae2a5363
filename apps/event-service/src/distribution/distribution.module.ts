import { Module } from '@nestjs/common';
import { DistributionService } from './distribution.service.js';

/** Whether the tables are on one server or distributed. */
@Module({ providers: [DistributionService], exports: [DistributionService] })
export class DistributionModule {}
