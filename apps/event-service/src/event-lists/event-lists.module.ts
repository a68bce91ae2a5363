import { type DynamicModule, Module } from '@nestjs/common';
import { DistributionModule } from '../distribution/distribution.module.js';
import { EventListsController } from './event-lists.controller.js';
import { EventListsRepository } from './event-lists.repository.js';
import { EventListsService, FRESH_HOURS } from './event-lists.service.js';

/** Listings of events: all of them, and the latest of each entity. */
@Module({})
export class EventListsModule {
  static forRoot(freshHours: number): DynamicModule {
    return {
      module: EventListsModule,
      imports: [DistributionModule],
      controllers: [EventListsController],
      providers: [EventListsRepository, EventListsService, { provide: FRESH_HOURS, useValue: freshHours }],
    };
  }
}
