import { Module } from '@nestjs/common';
import { IspsModule } from '../isps/isps.module.js';
import { RefusedEventsModule } from '../refused-events/refused-events.module.js';
import { EventsController } from './events.controller.js';
import { EventsService } from './events.service.js';

/** Events: recording them once and in order, and reading them. */
@Module({ imports: [IspsModule, RefusedEventsModule], controllers: [EventsController], providers: [EventsService] })
export class EventsModule {}
