import { Module } from '@nestjs/common';
import { RefusedEvents } from './refused-events.js';
import { RefusedEventsCleanUp } from './refused-events-clean-up.js';
import { RefusedEventsController } from './refused-events.controller.js';

/** Events that were refused, for a week. */
@Module({ controllers: [RefusedEventsController], providers: [RefusedEvents, RefusedEventsCleanUp], exports: [RefusedEvents] })
export class RefusedEventsModule {}
