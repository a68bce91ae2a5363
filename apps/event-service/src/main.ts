import { bootstrap } from '@fibre/server';
import { eventService } from './event-service.js';

await bootstrap(eventService);
