import { Module } from '@nestjs/common';
import { DistributionService } from './distribution.service.js';

/** Tables on one server or on many. */
@Module({ providers: [DistributionService], exports: [DistributionService] })
export class DistributionModule {}
