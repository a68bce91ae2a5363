import { Module } from '@nestjs/common';
import { EntitiesController } from './entities.controller.js';
import { EntitiesService } from './entities.service.js';

/** Entities: their states at any time, and their subscription periods. */
@Module({ controllers: [EntitiesController], providers: [EntitiesService] })
export class EntitiesModule {}
