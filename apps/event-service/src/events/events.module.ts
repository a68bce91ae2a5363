import { Module } from '@nestjs/common';
import { EventListsController } from '../event-lists/event-lists.controller.js';
import { EventListsService } from '../event-lists/event-lists.service.js';
import { IspsModule } from '../isps/isps.module.js';
import { RefusedEventsModule } from '../refused-events/refused-events.module.js';
import { EventsController } from './events.controller.js';
import { EventsService } from './events.service.js';

/**
 * Events: recording them once and in order, reading, listing and exporting them. The first route that matches wins, so the lists come first:
 * otherwise, `latest` and `export` would be taken for ids.
 */
@Module({
  imports: [IspsModule, RefusedEventsModule],
  controllers: [EventListsController, EventsController],
  providers: [EventListsService, EventsService],
})
export class EventsModule {}
