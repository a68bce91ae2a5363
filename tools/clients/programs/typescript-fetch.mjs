import { randomUUID } from 'node:crypto';
import * as coverage from './typescript-coverage';
import * as events from './typescript-event';

// It sends what it gets as the whole header.
const accessToken = `Bearer ${process.argv[2]}`;
const ofCoverage = new coverage.Configuration({ basePath: 'http://127.0.0.1:3001', accessToken });
const ofEvents = new events.Configuration({ basePath: 'http://127.0.0.1:3002', accessToken });

const nodes = await new coverage.SearchApi(ofCoverage).searchCoverage({ center: '48.2085, 16.3730', searchRadius: 500 });
console.log(nodes.length, 'nodes around');

const eventAt = new Date();
const event = await new events.EventsApi(ofEvents).recordEvent({
  recordEventRequest: { entityId: randomUUID(), eventType: 'notification', eventAt, eventTimezone: 'Etc/UTC' },
});
console.log(eventAt.toISOString(), event.eventAt.toISOString());

const result = await new coverage.AccessNodesApi(ofCoverage).importAccessNodes({
  body: 'token,center,customer_reference\nplanned,"48.2,16.3",T-1\nplanned,"48.2,16.3",T-2\nplanned,"48.2,16.3",T-3\n',
  relationId: '0192d3a5-7c10-7b2c-8d4f-1e6a9c3b5f17',
});
console.log(result.rows, 'rows');

const changes = await new coverage.ChangesApi(ofCoverage).listNodeChanges({ pageSize: 1000 });
console.log(new Set(changes.map(({ change }) => change)));
