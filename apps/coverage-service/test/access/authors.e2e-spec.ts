import { randomUUID } from 'node:crypto';
import {
  AUTHOR,
  authorsOfWrites,
  naming,
  type Prepare,
  type RawResponse,
  readEverything,
  startTestService,
  tablesWithoutAuthors,
  type TestService,
  until,
  WebhookReceiver,
  webhookWrites,
} from '@fibre/testing';
import type { OpenAPIObject } from '@nestjs/swagger';
import type { Response } from 'supertest';
import { coverageService } from '../../src/coverage-service.js';
import { ALL_SCOPES, type Client, create, list, newNode, NODES, operator } from '../access-nodes/access-nodes.js';
import { sql } from '../database/sql.js';
import { EXPORT, FILE_FORMATS, importFile, searchFile } from '../node-import/imports.js';
import { createRelation, newRelation, RELATIONS, relationUrl } from '../relations/relations.js';

const WEBHOOKS = '/v2/cov/webhooks/';

let service: TestService;
let receiver: WebhookReceiver;
let document: OpenAPIObject;
let ano: Client;

beforeAll(async () => {
  receiver = await new WebhookReceiver().start();
  service = await startTestService(coverageService);
  document = (await service.anonymous().get('/v2/cov/openapi.json')).body as OpenAPIObject;
  ano = await operator(service);
});
afterAll(async () => {
  await service.close();
  await receiver.stop();
});

/** A client of a person with this name. */
const person = (preferred_username: string, tenant = 'ano.test'): Promise<Client> =>
  service.as({ tenant, scope: ALL_SCOPES, claims: { preferred_username } });
const authorsOf = (record: object) => ['created_by', 'modified_by'].map((name) => (record as Record<string, string | undefined>)[name]);

const WRITES: Record<string, Prepare> = {
  createAccessNode: () => (by) => by.post(NODES).send(newNode()),
  updateAccessNode: async () => {
    const { node_id } = await create(ano);
    return (by) => by.patch(`${NODES}${node_id}/`).send({ token: 'operation' });
  },
  updateAccessNodes: async () => {
    const nodes = [await create(ano), await create(ano, { token: 'operation' })];
    return (by) => by.patch(NODES).send({ node_ids: nodes.map(({ node_id }) => node_id), set: { token: 'operation' } });
  },
  importAccessNodes: async () => {
    const { relation_id } = await create(ano, { customer_reference: 'stays' });
    await create(ano, { relation_id, customer_reference: 'changes' });
    const rows = ['stays,planned,"48.208555, 16.372966"', 'changes,operation,"48.2, 16.3"', 'new,operation,"48.2, 16.3"'];
    return (by) => importFile(by, ['customer_reference,token,center', ...rows, ''].join('\n'), { query: { relation_id } });
  },
  mergeAccessNodes: async () => {
    const { relation_id } = await create(ano, { customer_reference: 'stays' });
    await create(ano, { relation_id, customer_reference: 'changes' });
    await create(ano, { relation_id, customer_reference: 'stays' }, 'prenodes');
    await create(ano, { relation_id, customer_reference: 'changes', token: 'operation' }, 'prenodes');
    await create(ano, { relation_id }, 'prenodes');
    return (by) => by.put(NODES).query({ relation_id });
  },
  deleteAccessNodes: async () => {
    const { relation_id } = await create(ano);
    return (by) => by.delete(NODES).query({ relation_id });
  },
  deleteAccessNodesByIds: async () => {
    const { node_id } = await create(ano);
    return (by) => by.post(`${NODES}deletions/`).send({ node_ids: [node_id] });
  },
  deleteAccessNode: async () => {
    const { node_id } = await create(ano);
    return (by) => by.delete(`${NODES}${node_id}/`);
  },
  createRelation: () => (by) => by.post(RELATIONS).send(newRelation()),
  updateRelation: async () => {
    const url = relationUrl(await createRelation(ano));
    return (by) => by.patch(url).send({ pip: 'another' });
  },
  deleteRelation: async () => {
    const url = relationUrl(await createRelation(ano));
    return (by) => by.delete(url);
  },
  searchPlaces: () => (by) => searchFile(by, 'center\n"48.2, 16.3"\n'),
  ...webhookWrites(WEBHOOKS, 'nodes', () => ano),
};

test('every operation that writes leaves its author on what it wrote, and on nothing else', async () => {
  const node = ['access_node.created_by', 'access_node.modified_by'];
  expect(await authorsOfWrites(service, document, ALL_SCOPES, WRITES)).toEqual({
    createAccessNode: node,
    updateAccessNode: ['access_node.modified_by'],
    updateAccessNodes: ['access_node.modified_by'],
    importAccessNodes: [...node, 'finished_import.created_by'],
    mergeAccessNodes: ['access_node.modified_by'],
    createRelation: ['relation.created_by', 'relation.modified_by'],
    updateRelation: ['relation.modified_by'],
    createWebhook: ['webhook.created_by', 'webhook.modified_by'],
    updateWebhook: ['webhook.modified_by'],
    rotateWebhookSecret: ['webhook.modified_by'],
    // What is gone names nobody; the log line does.
    deleteAccessNode: [],
    deleteAccessNodes: [],
    deleteAccessNodesByIds: [],
    deleteRelation: [],
    deleteWebhook: [],
    searchPlaces: [],
    testWebhook: [],
  });
  // Ids of what is gone, the times of bulk work, and migrations.
  expect(await tablesWithoutAuthors(service.databaseUrl)).toEqual(['migrations', 'node_deletion', 'publication']);
});

test('an import, a merge and an update of many name their author only where they change something', async () => {
  const [anna, bert] = [await person('anna'), await person('bert')];
  const relation_id = randomUUID();
  const authors = async (target = 'nodes') =>
    Object.fromEntries((await list(ano, { relation_id, target })).map((node) => [node['customer_reference'], authorsOf(node)]));
  for (const customer_reference of ['a', 'b']) await create(anna, { relation_id, customer_reference });
  const file = (...rows: string[]) => ['customer_reference,token,center', ...rows, ''].join('\n');
  const [a, b] = ['a,planned,"48.208555, 16.372966"', 'b,operation,"48.208555, 16.372966"'];
  await importFile(bert, file(a, b, 'c,planned,"48, 16"'), { query: { relation_id } });
  const expected = { a: ['anna', 'anna'], b: ['anna', 'bert'], c: ['bert', 'bert'] };
  expect(await authors()).toEqual(expected);
  await importFile(await person('nobody'), file(a, b), { query: { relation_id, dry_run: 'true' } });
  await importFile(await person('nobody'), file(a, b), { query: { relation_id } });
  expect(await authors()).toEqual(expected);

  // Equal to `b`, another value for `c`, and new.
  await importFile(anna, file(b, 'c,operation,"48, 16"', 'd,planned,"48, 16"'), { query: { relation_id, target: 'prenodes' } });
  await (await person('carl')).put(NODES).query({ relation_id });
  expect(await authors()).toEqual({ ...expected, c: ['bert', 'carl'], d: ['anna', 'carl'] });

  const nodes = await list(ano, { relation_id });
  const node_ids = nodes.map(({ node_id }) => node_id);
  await (await person('dora')).patch(NODES).send({ node_ids, set: { token: 'operation' } });
  const now = { a: ['anna', 'dora'], b: ['anna', 'bert'], c: ['bert', 'carl'], d: ['anna', 'dora'] };
  expect(await authors()).toEqual(now);
  await (await person('emil')).patch(`${NODES}${node_ids[0]}/`).send({ token: 'operation' });
  expect(await authors()).toEqual(now);

  const found = async (query: object) => (await list(ano, { relation_id, ...query })).map((node) => node['customer_reference']);
  expect(await found({ created_by: 'anna' })).toEqual(['a', 'b', 'd']);
  expect(await found({ modified_by: 'dora' })).toEqual(['a', 'd']);
  expect(await found({ created_by: 'bert', modified_by: 'carl' })).toEqual(['c']);
  expect(await found({ created_by: 'Anna' })).toEqual([]);
  expect((await ano.get(NODES).query({ created_by: '', modified_by: 'x'.repeat(256) })).body.errors).toHaveLength(2);
});

test('a file cannot say who created its nodes, so an export is imported under the name of whoever imports it', async () => {
  const [anna, bert] = [await person('anna'), await person('bert')];
  const { relation_id } = await create(anna);
  for (const format of FILE_FORMATS) {
    const exported = await ano.get(EXPORT).query({ relation_id, format }).responseType('blob');
    const file = exported.body as Buffer;
    expect(file.toString()).toContain('anna');
    await ano.delete(NODES).query({ relation_id });
    expect((await importFile(bert, file, { format })).body).toMatchObject({ created: 1 });
    const [node] = await list(ano, { relation_id });
    expect([format, ...authorsOf(node!)]).toEqual([format, 'bert', 'bert']);
    await anna.patch(`${NODES}${node!.node_id}/`).send({ token: 'operation' });
    await anna.patch(`${NODES}${node!.node_id}/`).send({ token: 'planned' });
  }
});

test.each<[string, Record<string, unknown>, string | undefined]>([
  ['the first claim that the token has', { preferred_username: 'anna', client_id: 'portal', sub: '1' }, 'anna'],
  ['the client of a program', { client_id: 'billing', azp: 'other' }, 'billing'],
  ['azp', { client_id: undefined, azp: 'portal', appid: 'x' }, 'portal'],
  ['appid', { client_id: undefined, appid: 'app' }, 'app'],
  ['sub', { client_id: undefined, sub: 'subject' }, 'subject'],
  ['nobody', { client_id: undefined, sub: undefined }, undefined],
  ['no empty text, number or object', { preferred_username: '', client_id: 5, azp: { a: 1 }, appid: [], sub: 's' }, 's'],
  ['a text in an array', { preferred_username: ['anna', 'bert'] }, 'anna'],
  ['255 characters, not half of one', { preferred_username: '🏠'.repeat(300) }, '🏠'.repeat(255)],
  ['a control character as U+FFFD', { preferred_username: 'a\0b\nc' }, 'a\uFFFDb\uFFFDc'],
  ['half a character as U+FFFD', { preferred_username: 'a\uD83C' }, 'a\uFFFD'],
  ['quotes and formulas unchanged', { preferred_username: `=1"'\\,;` }, `=1"'\\,;`],
])('an author is %s', async (_case, claims, expected) => {
  const by = await service.as({ scope: ALL_SCOPES, claims });
  expect(authorsOf(await create(by))).toEqual([expected, expected]);
  expect(authorsOf((await by.post(RELATIONS).send(newRelation())).body as object)).toEqual([expected, expected]);
});

test('a change without a known author forgets the last one', async () => {
  const { node_id } = await create(await person('anna'));
  const nobody = await service.as({ scope: ALL_SCOPES, claims: { client_id: undefined, sub: undefined } });
  const { body } = await nobody.patch(`${NODES}${node_id}/`).send({ token: 'operation' });
  expect(authorsOf(body as object)).toEqual(['anna', undefined]);
});

test('other tenants never get an author: in no response, in no format and by no webhook', async () => {
  const owner = await person(AUTHOR, 'ano.author');
  // Where no other node of this file is.
  const center = '10.5, 10.5';
  const relation = (await owner.post(RELATIONS).send(newRelation({ operator: 'the operator' }))).body as { relation_id: string };
  const { relation_id } = relation;
  const { node_id } = await create(owner, { relation_id, center, address_id: 'A-1', customer_reference: 'reference' });
  await create(owner, { relation_id }, 'prenodes');
  await importFile(owner, 'token,center\noperation,"10.5, 10.5"\n', { query: { relation_id } });
  const { webhook_id } = (await owner.post(WEBHOOKS).send({ url: 'https://crm.example/hook', feed: 'nodes', enabled: false })).body as {
    webhook_id: string;
  };
  await sql(service.databaseUrl, `update access_node set modified_at = modified_at - interval '1 minute' where tenant = 'ano.author'`);
  await until('the feed', async () => (await owner.get(`${NODES}changes/`)).text.includes(node_id));

  const required = { node_id, relation_id, webhook_id, center, address_id: 'A-1', q: 'reference', z: '0', x: '0', y: '0' };
  const reader = async (tenant: string | null): Promise<Map<string, RawResponse>> => {
    const responses = await readEverything(service, document, await service.issuer.token({ tenant, scope: ALL_SCOPES }), { required });
    const client = await service.as({ tenant, scope: ALL_SCOPES });
    for (const format of FILE_FORMATS) {
      const body = { csv: 'address_id\nA-1', tsv: 'address_id\nA-1', ndjson: '{"address_id":"A-1"}', geojson: PLACE }[format];
      const answer: Response = await searchFile(client, body, { format });
      responses.set(`searchPlaces ${format}`, { status: answer.status, bytes: Buffer.from(answer.body as string) });
    }
    return responses;
  };

  const own = await reader('ano.author');
  expect([...own].filter(([, { status }]) => status !== 200)).toEqual([]);
  expect(naming(own, 'Österreicher')).toEqual([
    ...FILE_FORMATS.map((format) => `exportAccessNodes ${format}`).sort(),
    'listAccessNodes',
    'listNodeChanges',
    'listRelations',
    'listWebhooks',
    'readAccessNode',
    'readOverview',
    'readRelation',
    'readWebhook',
  ]);
  for (const tenant of ['isp.stranger', null]) {
    const others = await reader(tenant);
    expect(others.size).toBe(own.size);
    expect(naming(others, 'Österreicher')).toEqual([]);
    // The heads of tables without rows.
    expect(naming(others, 'created_by').concat(naming(others, 'modified_by'))).toEqual(tenant === null ? [] : [...HEADS, ...HEADS]);
    // They do get the node and its relation.
    expect(naming(others, node_id)).toEqual(
      expect.arrayContaining(['searchCoverage', 'searchAddress', 'listSearchChanges', 'exportPublishedNodes csv', 'searchPlaces csv']),
    );
    expect(naming(others, 'the operator')).toEqual(['listPublishedRelations', 'readPublishedRelation']);
  }

  const since = new Date(Date.now() - 3_600_000).toISOString();
  const arrived = async (by: Client, feed: string): Promise<string> => {
    receiver.batches.length = 0;
    const { body } = await by.post(WEBHOOKS).send({ url: receiver.urlOf(), feed, since, relation_id });
    receiver.secrets.push(body.secret as string);
    await until(`the webhook of ${feed}`, () => receiver.events.some(({ subject }) => subject === node_id));
    await by.delete(`${WEBHOOKS}${body.webhook_id}/`);
    return receiver.batches.map(({ text }) => text).join('\n');
  };
  expect(await arrived(owner, 'nodes')).toContain('Österreicher');
  expect(await arrived(await operator(service, 'isp.stranger'), 'search')).not.toMatch(/Österreicher|_by"/);
  expect(await arrived(owner, 'search')).not.toMatch(/Österreicher|_by"/);
});

const HEADS = ['exportAccessNodes csv', 'exportAccessNodes tsv'];
const PLACE = JSON.stringify({
  type: 'FeatureCollection',
  features: [{ type: 'Feature', geometry: { type: 'Point', coordinates: [10.5, 10.5] }, properties: {} }],
});
