import { Module } from '@nestjs/common';
import { DistributionModule } from '../distribution/distribution.module.js';
import { EntitiesController } from './entities.controller.js';
import { EntitiesService } from './entities.service.js';

/** Entities: their states, now and at any time, and their subscription periods. */
@Module({ imports: [DistributionModule], controllers: [EntitiesController], providers: [EntitiesService] })
export class EntitiesModule {}
