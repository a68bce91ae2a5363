import { runTenantCommand } from '@fibre/server';
import { eventService } from './event-service.js';

await runTenantCommand(eventService, new URL('../package.json', import.meta.url));
