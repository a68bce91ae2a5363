import { migrateService } from '@fibre/server';
import { eventService } from './event-service.js';

await migrateService(eventService);
