import { writeOpenApi } from '@fibre/server';
import { eventService } from './event-service.js';

await writeOpenApi(eventService, new URL('../openapi.json', import.meta.url));
