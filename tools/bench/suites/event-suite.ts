import { EVENT_TENANT, eventsDataset } from '../setup/events.js';
import { type BenchRequest, NEW_ID } from '../setup/load.js';
import { PAGE_SIZE, type Suite, walk } from './scenario.js';

export const EVENTS = '/api/v2/sys/events';
export const ENTITIES = '/api/v2/sys/entities';
export const PERIODS = '/api/v2/sys/periods';
const FIRST_PAGE = `${EVENTS}?_page_size=${PAGE_SIZE}`;

/** The first event of an entity, as an operator's order system would send it. */
export const activationOf = (entity_id: string): BenchRequest => ({
  path: EVENTS,
  method: 'PUT',
  body: JSON.stringify({
    entity_id,
    event_type: 'activation',
    event_at: '2026-02-01T16:00:00+01:00',
    event_timezone: 'Europe/Vienna',
    sys_attributes: { article_codes: ['FIBRE-100', 'VOICE'], partner_id: '7f2a1c9e-53b0-4d1c-9a3e-6f0d5b8e2c41' },
    usr_reference: 'order-2026-000001',
  }),
});

const single = { tenant: EVENT_TENANT, connections: 16, status: 200 };

export const eventSuite = (events: number): Suite => ({
  service: 'event-service',
  dataset: eventsDataset(events, Math.ceil(events / 100)),
  scenarios: [
    {
      ...single,
      title: `List, a later page of ${PAGE_SIZE}`,
      scope: 'events:read',
      connections: 8,
      atLeast: 0.9,
      requests: (service, token) => walk(service, FIRST_PAGE, token),
    },
    {
      ...single,
      title: 'PUT of a new activation',
      scope: 'events:write',
      status: 201,
      atLeast: 0.6,
      differing: ['event_id', 'entity_id', 'created_at', 'modified_at'],
      requests: () => [activationOf(NEW_ID)],
    },
  ],
});
