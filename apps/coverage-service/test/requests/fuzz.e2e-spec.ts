import { gzipSync } from 'node:zlib';
import { membersOf } from '@fibre/dto';
import { startTestService, type TestService } from '@fibre/testing';
import { volume } from '@fibre/testing/volume';
import fc from 'fast-check';
import type { Response } from 'supertest';
import { ListAccessNodesQuery } from '../../src/access-nodes/access-node-filters.requests.js';
import { CreateAccessNodeRequest, CreateTarget, UpdateAccessNodeRequest } from '../../src/access-nodes/access-node.requests.js';
import { SearchQuery } from '../../src/coverage-search/coverage-search.requests.js';
import { CreateRelationRequest, ListRelationsQuery } from '../../src/relations/relation.requests.js';
import { coverageService } from '../../src/coverage-service.js';
import { type Client, create, newNode, NODES, operator, problemOf, SEARCH } from '../access-nodes/access-nodes.js';
import { createRelation, newRelation, RELATIONS, relationUrl } from '../relations/relations.js';

const numRuns = volume(15, 60, 1_000);
/** The members of these request classes. */
const namesOf = (...requests: (new () => object)[]): string[] => [
  ...new Set(requests.flatMap((request) => [...membersOf(request).keys()])),
];
const LIKELY = namesOf(CreateAccessNodeRequest, UpdateAccessNodeRequest, CreateRelationRequest);
const PARAMETERS = namesOf(ListAccessNodesQuery, CreateTarget, SearchQuery, ListRelationsQuery);
const NASTY = [
  '',
  ' ',
  '\0',
  '\ud800',
  '😀',
  '%',
  '%00',
  '[]',
  '{}',
  'null',
  'undefined',
  'NaN',
  '-0',
  '1e309',
  '0x1F',
  '__proto__',
  'constructor',
  "' or 1=1 --",
  '$1',
  '*',
  '\u202e',
  'nodes',
  '90, 180',
  '-90,-180',
  '0, 0',
  '1e1, 1',
  '9'.repeat(400),
  'x'.repeat(70_000),
  '00000000-0000-0000-0000-000000000000',
  '0001-01-01T00:00:00+14:00',
  '9999-12-31T23:59:59.999999Z',
  '2026-02-01T00:00:00+23:59',
  '9999-12-31',
  '0001-01-01',
  '2026-02-30',
  '1e6',
  '0.0001',
];

let service: TestService;
let ano: Client;
let url: string;
let nodeId: string;
let relation: string;

beforeAll(async () => {
  service = await startTestService(coverageService, { TRUST_PROXY: '1' });
  ano = await operator(service);
  nodeId = (await create(ano)).node_id;
  url = `${NODES}${nodeId}`;
  relation = relationUrl(await createRelation(ano));
});
afterAll(() => service.close());

const text = fc.oneof(
  fc.constantFrom(...NASTY),
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
  fc.uuid(),
  fc.integer().map(String),
);
const value = fc.oneof(
  text,
  fc.jsonValue({ maxDepth: 4 }),
  fc.double(),
  fc.bigInt().map(Number),
  fc.dictionary(fc.constantFrom('__proto__', 'constructor', 'then', 'a'), fc.jsonValue()),
);
const key = fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...LIKELY) }, { weight: 1, arbitrary: text });
/** A valid body with a few changed members, or random input. */
const body = fc.oneof(
  fc.array(fc.tuple(key, value), { maxLength: 3 }).map((bends) => JSON.stringify({ ...newNode(), ...Object.fromEntries(bends) })),
  fc.array(fc.tuple(key, value), { maxLength: 2 }).map((bends) => JSON.stringify({ ...newRelation(), ...Object.fromEntries(bends) })),
  fc.dictionary(key, value).map((members) => JSON.stringify(members)),
  fc.jsonValue().map((any) => JSON.stringify(any)),
  fc.string({ unit: 'binary' }),
);
const short = text.filter((any) => any.length < 2_000).map((any) => any.toWellFormed());
const query = fc
  .array(fc.tuple(fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...PARAMETERS) }, { weight: 1, arbitrary: short }), short), {
    maxLength: 5,
  })
  .map((pairs) => new URLSearchParams(pairs).toString());
const header = fc
  .oneof(fc.string({ unit: 'grapheme-ascii' }), fc.constantFrom('*', '"1"', 'W/"1"', '""', ',', '"1","2"', 'application/json'))
  .map((any) => any.trim());

/** Checks that the status is below 500, and that an error is a well-formed problem. */
function sound(answer: Response): void {
  expect(answer.status).toBeLessThan(500);
  if (answer.status >= 400) problemOf(answer);
}

const OPERATIONS: [name: string, call: (body: string, query: string, header: string) => PromiseLike<Response>][] = [
  ['create', (sent, search) => ano.post(`${NODES}?${search}`).type('application/json').send(sent)],
  ['create without a query', (sent) => ano.post(NODES).type('application/json').send(sent)],
  ['create with any type', (sent, _search, type) => ano.post(NODES).set('content-type', type).serialize(String).send(sent)],
  ['update', (sent) => ano.patch(url).type('application/json').send(sent)],
  ['conditional update', (sent, _search, tags) => ano.patch(url).set('if-match', tags).type('application/json').send(sent)],
  [
    'update of several nodes',
    (sent, search) => ano.patch(`${NODES}?${search}`).type('application/json').send(`{"node_ids":["${nodeId}"],"set":${sent}}`),
  ],
  ['update of anything', (sent) => ano.patch(NODES).type('application/json').send(sent)],
  ['list', (_sent, search) => ano.get(`${NODES}?${search}`)],
  ['search', (_sent, search) => ano.get(`${SEARCH}?${search}`)],
  ['search around a center', (_sent, search) => ano.get(`${SEARCH}?center=0,0&${search}`)],
  ['merge', (_sent, search) => ano.put(`${NODES}?${search}`)],
  ['bulk delete', (_sent, search) => ano.delete(`${NODES}?${search}`)],
  ['read', (_sent, search) => ano.get(`${NODES}${encodeURIComponent(search)}`)],
  ['conditional read', (_sent, _search, tags) => ano.get(url).set('if-none-match', tags)],
  ['create a relation', (sent, search) => ano.post(`${RELATIONS}?${search}`).type('application/json').send(sent)],
  ['create a relation without a query', (sent) => ano.post(RELATIONS).type('application/json').send(sent)],
  ['update a relation', (sent, _search, tags) => ano.patch(relation).set('if-match', tags).type('application/json').send(sent)],
  ['list relations', (_sent, search) => ano.get(`${RELATIONS}?${search}`)],
  ['read a relation', (_sent, search) => ano.get(`${RELATIONS}${encodeURIComponent(search)}`)],
  ['conditional read of a relation', (_sent, _search, tags) => ano.get(relation).set('if-none-match', tags)],
  ['any header', (_sent, _search, any) => ano.get(NODES).set({ accept: any, 'x-request-id': any, traceparent: any })],
  ['any host', (_sent, _search, any) => ano.get(NODES).set('host', any)],
  ['any host of a proxy', (_sent, _search, any) => ano.get(NODES).set({ 'x-forwarded-host': any, 'x-forwarded-proto': any })],
  ['any authorization', (_sent, _search, any) => service.anonymous().get(NODES).set('authorization', any)],
];

test.each(OPERATIONS)('%s never fails, whatever the input', async (_name, call) => {
  await fc.assert(
    fc.asyncProperty(body, query, header, async (sent, search, any) => sound(await call(sent, search, any))),
    { numRuns },
  );
});

const ROWS = 'relation_id,token,center\n00000000-0000-4000-8000-000000000000,planned,"1, 2"\n';
/** A file, compressed or not, of which a part may be missing or changed. */
const file = fc
  .record({
    text: fc.oneof(fc.constant(ROWS), body, text),
    isCompressed: fc.boolean(),
    damage: fc.constantFrom('none', 'cut', 'changed', 'longer'),
    at: fc.nat(),
    byte: fc.nat({ max: 255 }),
  })
  .map(({ text: sent, isCompressed, damage, at, byte }) => {
    const bytes = isCompressed ? gzipSync(sent) : Buffer.from(sent);
    const place = at % (bytes.length || 1);
    if (damage === 'changed' && bytes.length > 0) bytes[place] = byte;
    if (damage === 'cut') return { isCompressed, bytes: bytes.subarray(0, place) };
    return { isCompressed, bytes: damage === 'longer' ? Buffer.concat([bytes, Buffer.of(byte)]) : bytes };
  });

test.each([
  ['imported', `${NODES}import?dry_run=true`],
  ['searched for', SEARCH],
])('a damaged or compressed file that is %s never fails', async (_what, path) => {
  const types = fc.constantFrom('text/csv', 'text/tab-separated-values', 'application/x-ndjson', 'application/geo+json');
  await fc.assert(
    fc.asyncProperty(file, types, async ({ isCompressed, bytes }, type) => {
      const sending = ano.post(path).type(type);
      if (isCompressed) sending.set('content-encoding', 'gzip');
      // A search that has begun to answer can only close the connection.
      const answer = await sending.serialize((sent: Buffer) => sent as unknown as string).send(bytes);
      sound(answer);
    }),
    { numRuns },
  );
});
