import { randomUUID } from 'node:crypto';
import type { AccessNode, Relation, SearchResult } from '@fibre/client';
import austrianPlaces from '@fibre/testing/places-in-austria.json' with { type: 'json' };
import { type Client, part, say, sayTable, step } from './client.js';

const NODES = '/v2/cov/nodes/';
const CITY_HALL = '48.2108,16.3575';
/** The places are kept in the relation with this name, so that a later run of the tour finds them. */
const RELATION = { name: 'Places in Austria', pip: 'GeoNames', comment: 'npm run tour' };
const TOKENS = ['planned', 'construction', 'operation'] as const;
const AVAILABLE_FROM = { planned: '2028-04-01', construction: '2027-07-01', operation: undefined };

/** Every Austrian place in GeoNames with more than 1000 people, and the district capitals. */
const PLACES = austrianPlaces.map(({ name, lat, lng }, index) => ({
  name,
  body: {
    token: TOKENS[index % TOKENS.length]!,
    center: `${lat}, ${lng}`,
    technology: 'ftth',
    country: 'AT',
    // Made up, like the address: no register has given these ids to the places.
    address_id: String(1_000_000_001 + index),
    available_from: AVAILABLE_FROM[TOKENS[index % TOKENS.length]!],
    address: `Hauptplatz ${1 + (index % 9)}, ${name}`,
    units: 1 + (index % 40),
    units_connected: TOKENS[index % TOKENS.length] === 'operation' ? (index * 7) % (2 + (index % 40)) : 0,
    download_mbps: 1000,
    upload_mbps: index % 2 ? 1000 : 500,
    // Unique within the relation, so no place exists twice.
    customer_reference: `geonames-at-${String(index + 1).padStart(4, '0')}`,
  },
}));

export async function tourCoverage(operator: Client, provider: Client): Promise<void> {
  part('Coverage API', 'Places: GeoNames (geonames.org), CC BY 4.0');
  step('A relation with an infrastructure provider: every node belongs to one');
  const { relation_id } = await operator.keep<Relation>('/v2/cov/relations/', RELATION);
  await importPlaces(operator, relation_id);
  await search(operator, provider);
  await lifeOfANode(operator, relation_id);
}

async function importPlaces(operator: Client, relation_id: string): Promise<void> {
  step(`${PLACES.length} places in Austria, each a coverage access node (CAN), imported as one file into pre-production`);
  const file = PLACES.map(({ body }) => JSON.stringify({ relation_id, ...body })).join('\n');
  say(JSON.stringify(await operator.quietly.coverage.nodes.import(file, { target: 'prenodes' }, { format: 'ndjson' })));

  step('A merge moves the whole relation to production');
  await operator.call('PUT', NODES, { query: { relation_id } });

  step('List the CANs, page by page with the link header');
  const { headers } = await operator.call('GET', NODES, { query: { relation_id } });
  say(`link: ${headers.get('link')}`);
}

async function search(operator: Client, provider: Client): Promise<void> {
  step("Search around Vienna's city hall, as a provider: nearest first, with distance in metres and quality");
  const { body } = await provider.call<SearchResult[]>('GET', '/v2/cov/search/', { query: { center: CITY_HALL, search_radius: 10_000 } });
  sayTable([['distance', 'quality', 'token'], ...body.map((found) => [found.distance.toFixed(2), found.quality, found.token])]);
  say('a provider may not list the nodes of an operator:');
  await provider.call('GET', NODES, { expect: 403 });

  step('Search near every address in a file: each row is returned with its nearest node');
  const places = PLACES.slice(0, 3).map(({ name, body }) => `${name},"${body.center}"`);
  const file = ['name,center', ...places, 'Atlantic,"10, -40"', 'nowhere,'].join('\n');
  const rows = [['name', 'distance', 'quality', 'error']];
  const found = operator.quietly.coverage.searchMany<{ name: string }>(file, {}, { format: 'csv' });
  for await (const { input, results: [nearest] = [], error = '' } of found)
    rows.push([input.name, nearest?.distance?.toFixed(2) ?? '', nearest?.quality ?? '', error]);
  sayTable(rows);
}

async function lifeOfANode(operator: Client, relation_id: string): Promise<void> {
  step('Create a CAN; the same one again is rejected');
  const body = { relation_id, token: 'planned', center: CITY_HALL.replace(',', ', '), customer_reference: `order-${randomUUID()}` };
  const created = await operator.call<AccessNode>('POST', NODES, { body, expect: 201 });
  await operator.call('POST', NODES, { body, expect: 409 });

  step('Update it safely with ETag and If-Match');
  const path = `${NODES}${created.body.node_id}/`;
  const update = { body: { token: 'operation', status: 'started' }, headers: { 'if-match': created.headers.get('etag') ?? '' } };
  await operator.call('PATCH', path, update);
  say('again with the old etag, as if by someone who has not seen the change:');
  await operator.call('PATCH', path, { ...update, expect: 412 });

  step('Delete it');
  await operator.call('DELETE', path, { expect: 204 });
}
