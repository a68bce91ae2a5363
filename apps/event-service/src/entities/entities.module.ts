import { Module } from '@nestjs/common';
import { EntitiesController } from './entities.controller.js';
import { EntitiesService } from './entities.service.js';
import { PersonalData } from './personal-data.js';
import { PersonalDataCleanUp } from './personal-data-clean-up.js';

/** Entities: their states at any time, their subscription periods, and the erasure of personal data. */
@Module({ controllers: [EntitiesController], providers: [EntitiesService, PersonalData, PersonalDataCleanUp] })
export class EntitiesModule {}
