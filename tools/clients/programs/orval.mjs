import { randomUUID } from 'node:crypto';
import { getImportAccessNodesUrl, listNodeChanges, searchCoverage } from './orval-coverage';
import { recordEvent } from './orval-event';

const headers = { authorization: `Bearer ${process.argv[2]}` };

const { data: nodes } = await searchCoverage({ center: '48.2085, 16.3730', search_radius: 500 }, { headers });
console.log(nodes.length, 'nodes around');

const event_at = new Date().toISOString();
const { data: event } = await recordEvent(
  { entity_id: randomUUID(), event_type: 'notification', event_at, event_timezone: 'Etc/UTC' },
  undefined,
  { headers },
);
console.log(event_at, event.event_at);

// `importAccessNodes` sends any body as JSON.
const response = await fetch(getImportAccessNodesUrl({ relation_id: '0192d3a5-7c10-7b2c-8d4f-1e6a9c3b5f12' }), {
  method: 'POST',
  headers: { ...headers, 'content-type': 'text/csv' },
  body: 'token,center,customer_reference\nplanned,"48.2,16.3",O-1\nplanned,"48.2,16.3",O-2\nplanned,"48.2,16.3",O-3\n',
});
console.log((await response.json()).rows, 'rows');

const { data: changes } = await listNodeChanges({ _page_size: 1000 }, { headers });
console.log(new Set(changes.map(({ change }) => change)));
