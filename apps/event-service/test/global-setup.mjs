import { migrateDatabase } from '@fibre/server';
import { globalSetup } from '@fibre/testing';
import { eventService } from '../src/event-service.ts';

export default globalSetup((url) => migrateDatabase(eventService, url));
