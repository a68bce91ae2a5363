import { Module } from '@nestjs/common';
import { OverviewController } from './overview.controller.js';
import { OverviewRepository } from './overview.repository.js';

/** An overview of a tenant's records, in numbers. */
@Module({ controllers: [OverviewController], providers: [OverviewRepository] })
export class OverviewModule {}
