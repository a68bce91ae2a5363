import { runCompareCommand } from '@fibre/server';
import { eventService } from './event-service.js';

await runCompareCommand(eventService);
