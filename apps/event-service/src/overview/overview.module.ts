import { Module } from '@nestjs/common';
import { OverviewController } from './overview.controller.js';
import { OverviewRepository } from './overview.repository.js';

/** A tenant's records in numbers. */
@Module({ controllers: [OverviewController], providers: [OverviewRepository] })
export class OverviewModule {}
