import type { ServiceDefinition } from '@fibre/server';
import { AppModule } from './app.module.js';
import { schema } from './schema.js';
import { samples } from './samples.sql.js';
import { tenants } from './tenants.js';
import { type EventEnv, readEventEnv } from './event.env.js';

/** Definition of the service, for its entry points and tests. */
export const eventService: ServiceDefinition<EventEnv> = {
  name: 'event-service',
  readEnv: readEventEnv,
  module: (env, databaseUrl) => AppModule.forRoot(env, databaseUrl),
  api: {
    title: 'Event API',
    description:
      'Lifecycle events of billable entities: activation, update, deactivation, and also notifications.\n\n' +
      'Recording is idempotent: the same `PUT` sent again, for example after a timeout, returns 200 and the recorded event. ' +
      'Lifecycle events of an entity must be in a valid order by `event_at`, whatever the order and number of ' +
      'the requests that record them.\n\n' +
      'Entities are derived from their events: state, current subscription, and the periods that are charged.\n\n' +
      'Every path works with and without a trailing slash. In a POST or PUT, `null` for an optional member means absent. Error responses are ' +
      '`application/problem+json` (RFC 9457) with a stable `code`.',
    version: '2.0.0',
    path: '/api/v2/sys/events',
    tags: ['Events', 'Entities', 'Billing', 'Internet service providers', 'Charges', 'Lines', 'Overview', 'Webhooks', 'Changes'],
    scopes: {
      'events:read': 'Read and list events, entities and ISPs of your tenant',
      'events:write': 'Record events, close months, and manage the ISPs of your tenant',
      'closings:write': 'Close months, without the right to record events',
      'events:erase': 'Erase the personal data of entities of your tenant',
      'charges:read': 'Read your lines as an ISP, and what operators charge you',
    },
  },
  database: 'events',
  schema,
  tenants,
  samples,
};
