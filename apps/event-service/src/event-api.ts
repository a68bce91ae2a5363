import type { ApiDescription } from '@fibre/server';

/** What the OpenAPI document says of this API as a whole. */
export const eventApi: ApiDescription = {
  title: 'Event API',
  description:
    'Lifecycle events of billable entities: activation, update, deactivation, and notifications beside them.\n\n' +
    'Recording is idempotent: the same `PUT` sent again, after a timeout for instance, answers 200 with the first event. ' +
    'Lifecycle events of an entity follow each other in a fixed order by `event_at`, whatever the order and number of ' +
    'the requests that record them.\n\n' +
    'Every path works with and without a trailing slash. Refusals are `application/problem+json` (RFC 9457) with a stable `code`.',
  version: '2.0.0',
  path: '/api/v2/sys/events',
  scopes: {
    'events:read': 'Read and list events and ISPs of your tenant',
    'events:write': 'Record events, register and delete ISPs of your tenant',
  },
};
