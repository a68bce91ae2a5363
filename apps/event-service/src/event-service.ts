import type { ServiceDefinition } from '@fibre/server';
import { AppModule } from './app.module.js';
import { schema } from './schema.js';
import { eventApi } from './event-api.js';
import { type EventEnv, readEventEnv } from './event.env.js';

/** The service, as its entry points and tests start it. */
export const eventService: ServiceDefinition<EventEnv> = {
  name: 'event-service',
  readEnv: readEventEnv,
  module: (env, databaseUrl) => AppModule.forRoot(env, databaseUrl),
  api: eventApi,
  database: 'events',
  schema,
};
