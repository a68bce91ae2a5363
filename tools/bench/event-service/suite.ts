import { join } from 'node:path';
import type { Suite } from '../suite.js';
import { EVENTS } from './activation.js';
import { eventsDataset, TENANT } from './load-events.js';
import { eventScenarios } from './scenarios.js';

/** The small table has this part of the large one's events, and both have one entity for each of them. */
const GROWTH = 100;

export const eventSuite: Suite = {
  service: 'event-service',
  datasets: ({ events }) => {
    const entities = Math.round(events / GROWTH);
    return [eventsDataset(entities, entities), eventsDataset(events, entities)];
  },
  bareModule: join(import.meta.dirname, 'bare.ts'),
  firstRequest: { path: `${EVENTS}/latest?_page_size=1`, tenant: TENANT, scope: 'events:read' },
  steady: 'put-new',
  quick: ['list-page', 'put-new'],
  scenarios: eventScenarios,
};
