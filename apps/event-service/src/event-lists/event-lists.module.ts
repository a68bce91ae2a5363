import { Module } from '@nestjs/common';
import { EventListsController } from './event-lists.controller.js';
import { EventListsService } from './event-lists.service.js';

/** Listings of events: all events, also as a file, and the latest event of each entity. */
@Module({ controllers: [EventListsController], providers: [EventListsService] })
export class EventListsModule {}
