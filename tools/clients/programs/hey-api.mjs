import { randomUUID } from 'node:crypto';
import { client as coverage } from './hey-api-coverage/client.gen';
import { importAccessNodes, listNodeChanges, searchCoverage } from './hey-api-coverage';
import { client as events } from './hey-api-event/client.gen';
import { recordEvent } from './hey-api-event';

const auth = process.argv[2];
coverage.setConfig({ baseUrl: 'http://127.0.0.1:3001', auth, throwOnError: true });
events.setConfig({ baseUrl: 'http://127.0.0.1:3002', auth, throwOnError: true });

const { data: nodes } = await searchCoverage({ query: { center: '48.2085, 16.3730', search_radius: 500 } });
console.log(nodes.length, 'nodes around');

const event_at = new Date().toISOString();
const { data: event } = await recordEvent({
  body: { entity_id: randomUUID(), event_type: 'notification', event_at, event_timezone: 'Etc/UTC' },
});
console.log(event_at, event.event_at);

// Without `bodySerializer: null`, it sends the file as a JSON string.
const { data: result } = await importAccessNodes({
  body: 'token,center,customer_reference\nplanned,"48.2,16.3",H-1\nplanned,"48.2,16.3",H-2\nplanned,"48.2,16.3",H-3\n',
  headers: { 'content-type': 'text/csv' },
  bodySerializer: null,
  query: { relation_id: '0192d3a5-7c10-7b2c-8d4f-1e6a9c3b5f11' },
});
console.log(result.rows, 'rows');

const { data: changes } = await listNodeChanges({ query: { _page_size: 1000 } });
console.log(new Set(changes.map(({ change }) => change)));
