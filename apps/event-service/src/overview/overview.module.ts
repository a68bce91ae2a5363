import { Module } from '@nestjs/common';
import { DistributionModule } from '../distribution/distribution.module.js';
import { OverviewController } from './overview.controller.js';
import { OverviewRepository } from './overview.repository.js';

/** A tenant's records in numbers. */
@Module({ imports: [DistributionModule], controllers: [OverviewController], providers: [OverviewRepository] })
export class OverviewModule {}
