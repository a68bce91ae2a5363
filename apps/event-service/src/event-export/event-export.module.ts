import { type DynamicModule, Module } from '@nestjs/common';
import { FRESH_HOURS } from '../event-lists/event-lists.service.js';
import { EventExportController } from './event-export.controller.js';
import { EventExportRepository } from './event-export.repository.js';
import { EventExportService, EXPORT_MAX_SECONDS } from './event-export.service.js';

/** Events as a file. */
@Module({})
export class EventExportModule {
  static forRoot(freshHours: number, maxSeconds: number): DynamicModule {
    return {
      module: EventExportModule,
      controllers: [EventExportController],
      providers: [
        EventExportRepository,
        EventExportService,
        { provide: FRESH_HOURS, useValue: freshHours },
        { provide: EXPORT_MAX_SECONDS, useValue: maxSeconds },
      ],
    };
  }
}
