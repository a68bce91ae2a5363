import { Module } from '@nestjs/common';
import { EventListsController } from './event-lists.controller.js';
import { EventListsService } from './event-lists.service.js';

/** Lists of events, the last event of each entity, and exports. */
@Module({ controllers: [EventListsController], providers: [EventListsService] })
export class EventListsModule {}
