import { randomUUID } from 'node:crypto';
import { type FeedItem, Follower, startTestService, type TestService } from '@fibre/testing';
import { volume } from '@fibre/testing/volume';
import { coverageService } from '../../src/coverage-service.js';
import {
  type Client,
  create,
  idsOf,
  invalid,
  list,
  type Node,
  NODES,
  operator,
  problemOf,
  refusal,
  SEARCH,
} from '../access-nodes/access-nodes.js';
import { sql } from '../database/sql.js';
import { counts, done, exportFile, type FileFormat, importFile, type Sending } from './imports.js';

let service: TestService;
let ano: Client;
let relation_id: string;

beforeAll(async () => {
  service = await startTestService(coverageService);
  ano = await operator(service);
});
beforeEach(() => void (relation_id = randomUUID()));
afterAll(() => service.close());

const HEADER = 'token,latitude,longitude,customer_reference';
const csv = (...references: string[]): string => [HEADER, ...references.map((one) => `planned,48.2,16.2,${one}`), ''].join('\n');
const numbered = (count: number, from = 0): string[] => Array.from({ length: count }, (_, n) => `r${n + from}`);
/** Sends a file as the whole truth about the relation. */
const sync = (file: string, more: Record<string, string> = {}, sending: Sending = {}) =>
  importFile(ano, file, { ...sending, query: { relation_id, absent: 'delete', ...more } });
const stored = (target = 'nodes'): Promise<Node[]> => list(ano, { relation_id, target, _page_size: 2000 });
const references = async (): Promise<unknown[]> => (await stored()).map(({ customer_reference }) => customer_reference).sort();

test('nodes that no row names are deleted, also those without a reference; others are created, updated or left alone', async () => {
  const [kept, changed, gone, nameless] = [
    await create(ano, { relation_id, customer_reference: 'kept', center: '48.2, 16.2' }),
    await create(ano, { relation_id, customer_reference: 'changed', center: '48.2, 16.2', lot_id: 'L' }),
    await create(ano, { relation_id, customer_reference: 'gone' }),
    await create(ano, { relation_id }),
  ];
  const others = [
    await create(ano, { relation_id, customer_reference: 'gone' }, 'prenodes'),
    await create(ano, { customer_reference: 'gone' }),
  ];
  await create(await operator(service, 'ano.other'), { relation_id, customer_reference: 'theirs' });
  const feeds = [
    new Follower(ano, `${NODES}changes/?relation_id=${relation_id}`),
    new Follower(await service.as({ tenant: null, scope: 'coverage:search' }), `${SEARCH}changes/?relation_id=${relation_id}`),
  ];
  for (const feed of feeds) await feed.catchUp();

  const dry = await sync(csv('kept', 'changed', 'new'), { dry_run: 'true' });
  expect(await stored()).toHaveLength(4);
  const answer = await sync(csv('kept', 'changed', 'new'));
  expect(counts(answer)).toEqual(done({ rows: 3, created: 1, updated: 1, unchanged: 1, deleted: 2 }));
  expect(answer.body.deleted_nodes).toEqual([{ node_id: gone.node_id, customer_reference: 'gone' }, { node_id: nameless.node_id }]);
  expect(dry.body).toEqual(answer.body);

  const after = await stored();
  const created = after.find(({ customer_reference }) => customer_reference === 'new')!;
  expect(after).toEqual([kept, { ...changed, lot_id: undefined, modified_at: expect.any(String) }, created]);
  for (const other of others) expect((await ano.get(`${NODES}${other.node_id}`)).body).toEqual(other);
  const shown = (items: FeedItem[]) => items.map(({ change, node }) => `${change} ${node!['node_id']}`).sort();
  for (const feed of feeds) {
    expect(shown(await feed.catchUp())).toEqual(
      [`deleted ${gone.node_id}`, `deleted ${nameless.node_id}`, `upserted ${changed.node_id}`, `upserted ${created.node_id}`].sort(),
    );
  }

  expect(counts(await sync(csv('kept', 'changed', 'new')))).toEqual(done({ rows: 3, unchanged: 3 }));
  expect(await stored()).toEqual(after);
  for (const feed of feeds) expect(await feed.catchUp()).toEqual([]);
});

test('deletions in pre-production are not in the feeds', async () => {
  await create(ano, { relation_id, customer_reference: 'gone' }, 'prenodes');
  const feed = new Follower(ano, `${NODES}changes/?relation_id=${relation_id}`);
  await feed.catchUp();
  expect(counts(await sync(csv('new'), { target: 'prenodes', max_deleted: '1' }))).toEqual(done({ rows: 1, created: 1, deleted: 1 }));
  expect((await stored('prenodes')).map(({ customer_reference }) => customer_reference)).toEqual(['new']);
  expect(await feed.catchUp()).toEqual([]);
});

test('an import without absent=delete deletes nothing', async () => {
  const before = await create(ano, { relation_id, customer_reference: 'gone' });
  const { status: _status, ...counted } = done({});
  for (const query of [{}, { absent: 'keep' }] as Record<string, string>[]) {
    const answer = await importFile(ano, csv('new'), { query: { relation_id, ...query } });
    expect(answer.body).toEqual({
      ...counted,
      rows: 1,
      created: expect.any(Number),
      unchanged: expect.any(Number),
      refused_lines: [],
      errors: [],
    });
  }
  expect((await stored())[0]).toEqual(before);
});

test.each<[string, string, string, object]>([
  ['cut off after 5 % of its rows', csv(...numbered(10)), 'csv', { rows: 10, unchanged: 10, deleted: 190 }],
  ['without rows', csv(), 'csv', { rows: 0, deleted: 200 }],
  ['of another relation', csv(...numbered(200, 1000)), 'csv', { rows: 200, created: 200, deleted: 200 }],
  ['without features', '{"type":"FeatureCollection","features":[]}', 'geojson', { rows: 0, deleted: 200 }],
])('a file %s is rejected with the number of nodes that it would delete, also as a dry run', async (_title, file, format, report) => {
  await importFile(ano, csv(...numbered(200)), { query: { relation_id } });
  const before = await stored();
  for (const dry_run of ['true', 'false']) {
    const answer = await sync(file, { dry_run }, { format: format as FileFormat });
    expect(problemOf(answer)).toEqual(refusal(422, 'too-many-deletions'));
    expect(answer.body).toMatchObject({ created: 0, updated: 0, unchanged: 0, refused: 0, errors: [], ...report });
    const { deleted } = report as { deleted: number };
    expect(answer.body.detail).toBe(
      deleted === 200
        ? 'No row names any of the 200 nodes of the relation, so the import would delete all of them, but may delete 0; nothing was changed.'
        : `The import would delete ${deleted} of the 200 nodes of the relation, but may delete 20; nothing was changed.`,
    );
    expect(answer.body.deleted_nodes).toHaveLength(deleted);
  }
  expect(await stored()).toEqual(before);
});

test('a file cut off in the middle of a row is rejected in every format, and so is one without a byte', async () => {
  await importFile(ano, csv(...numbered(200)), { query: { relation_id } });
  const before = await stored();
  const cut = (text: string): string => text.slice(0, text.lastIndexOf('planned', text.length * 0.95) + 3);
  for (const [format, code] of [
    ['csv', 'import-refused'],
    ['tsv', 'import-refused'],
    ['ndjson', 'import-refused'],
    ['geojson', 'malformed-request'],
  ] as const) {
    const file = await exportFile(ano, format, { relation_id });
    expect((await sync(cut(file), {}, { format })).body).toMatchObject({ code });
    expect(counts(await sync(file, {}, { format }))).toEqual(done({ rows: 200, unchanged: 200 }));
  }
  expect((await sync('')).body).toMatchObject({ code: 'malformed-request' });
  expect(await stored()).toEqual(before);
});

test('ten nodes, or a tenth of them, may be deleted unless max_deleted says how many', async () => {
  await importFile(ano, csv(...numbered(125)), { query: { relation_id } });
  // A tenth is 12.5.
  expect(problemOf(await sync(csv(...numbered(112))))).toEqual(refusal(422, 'too-many-deletions'));
  expect(problemOf(await sync(csv(...numbered(120)), { max_deleted: '4' }))).toEqual(refusal(422, 'too-many-deletions'));
  expect(counts(await sync(csv(...numbered(113))))).toEqual(done({ rows: 113, unchanged: 113, deleted: 12 }));
  expect(problemOf(await sync(csv('r0'), { max_deleted: '111' }))).toEqual(refusal(422, 'too-many-deletions'));
  expect(counts(await sync(csv('r0'), { max_deleted: '112' }))).toEqual(done({ rows: 1, unchanged: 1, deleted: 112 }));
  expect(counts(await sync(csv(...numbered(10))))).toEqual(done({ rows: 10, created: 9, unchanged: 1 }));
  expect(problemOf(await sync(csv(), { max_deleted: '0' }))).toEqual(refusal(422, 'too-many-deletions'));
  expect(counts(await sync(csv(), { max_deleted: '10' }))).toEqual(done({ deleted: 10 }));
  expect(counts(await sync(csv()))).toEqual(done({}));
});

const EMPTY: readonly [FileFormat, string][] = [
  ['csv', csv()],
  ['tsv', csv().replaceAll(',', '\t')],
  ['ndjson', ''],
  ['geojson', '{"type":"FeatureCollection","features":[]}'],
];
const OF_ANOTHER: readonly [FileFormat, string][] = [
  ['csv', csv('other')],
  ['tsv', csv('other').replaceAll(',', '\t')],
  ['ndjson', '{"token":"planned","latitude":48,"longitude":16,"customer_reference":"other"}\n'],
  [
    'geojson',
    '{"type":"FeatureCollection","features":[{"type":"Feature","geometry":{"type":"Point","coordinates":[16,48]},"properties":{"token":"planned","customer_reference":"other"}}]}',
  ],
];

test.each([
  ['empty', EMPTY],
  ["another relation's", OF_ANOTHER],
])('a file that is %s empties no relation without max_deleted, however small it is, in any format', async (what, files) => {
  for (const [format, file] of files)
    for (const gzip of volume([format === 'csv'], [false, true]))
      for (const references of [['a'], numbered(10), []]) {
        relation_id = randomUUID();
        await importFile(ano, csv(...references), { query: { relation_id } });
        if (references.length === 0) await create(ano, { relation_id });
        const [before, count] = [await stored(), Math.max(1, references.length)];
        const created = what === 'empty' ? 0 : 1;
        for (const query of [{ dry_run: 'true' }, {}, { max_deleted: String(count - 1) }] as Record<string, string>[]) {
          const answer = await sync(file, query, { format, gzip });
          // A file without a byte is no file of newline-delimited JSON.
          if (file === '') expect(answer.body).toMatchObject({ status: 400, code: 'malformed-request' });
          else
            expect(answer.body).toMatchObject({
              code: 'too-many-deletions',
              created,
              deleted: count,
              hint: expect.stringContaining(`max_deleted=${count}`) as string,
            });
          expect(await stored()).toEqual(before);
        }
        if (file === '') continue;
        expect(counts(await sync(file, { max_deleted: String(count) }, { format, gzip }))).toEqual(
          done({ rows: created, created, deleted: count }),
        );
      }
});

test('the first 1,000 deleted nodes are listed by reference, and all are counted', async () => {
  await importFile(ano, csv(...numbered(1_500)), { query: { relation_id } });
  const { body } = await sync(csv(), { max_deleted: '1500' });
  expect(body.deleted).toBe(1_500);
  const listed = (body.deleted_nodes as { customer_reference: string }[]).map(({ customer_reference }) => customer_reference);
  expect(listed).toHaveLength(1_000);
  expect(listed.slice(0, 3)).toEqual(['r0', 'r1', 'r10']);
});

test('every row needs a reference, and rejected rows delete nothing', async () => {
  await create(ano, { relation_id, customer_reference: 'kept' });
  const missing = (line: number) => ({ line, column: 'customer_reference', detail: 'is required with absent=delete' });
  const table = await sync(`${csv('kept', '', 'new')}planed,48,16,\n`);
  expect(table.body).toMatchObject({ code: 'import-refused', rows: 4, refused: 2, deleted: 0 });
  expect(table.body).not.toHaveProperty('deleted_nodes');
  expect(table.body.errors).toEqual([missing(3), missing(5), { line: 5, column: 'token', detail: expect.any(String) }]);
  const rows = [{}, { customer_reference: null }, { customer_reference: '' }, { customer_reference: 7 }];
  const ndjson = rows.map((row) => `${JSON.stringify({ token: 'planned', center: '48, 16', ...row })}\n`).join('');
  const { body } = await sync(ndjson, {}, { format: 'ndjson' });
  expect((body.errors as { column: string }[]).map(({ column }) => column)).toEqual(rows.map(() => 'customer_reference'));
  expect((await sync('token,center\n')).body.errors).toEqual([
    { line: 1, column: 'customer_reference', detail: 'is missing; absent=delete needs it' },
  ]);
  const repeated = await sync(csv('a', 'a'));
  expect(repeated.body).toMatchObject({ code: 'import-refused', refused: 2, deleted: 0 });
  const foreign = await sync(`relation_id,${HEADER}\n${randomUUID()},planned,48,16,a\n`);
  expect(foreign.body).toMatchObject({ code: 'import-refused', refused: 1, deleted: 0 });
  expect(await references()).toEqual(['kept']);
});

test('parameters that contradict each other are rejected by name', async () => {
  const send = (query: Record<string, string>) => importFile(ano, csv('a'), { query });
  for (const [query, ...offenders] of [
    [{ absent: 'delete' }, 'absent'],
    [{ absent: 'delete', relation_id, mode: 'lax' }, 'absent'],
    [{ absent: 'remove', max_deleted: 'all' }, 'absent', 'max_deleted'],
    [{ absent: 'delete', relation_id, max_deleted: '-1' }, 'max_deleted'],
    [{ relation_id, max_deleted: '5' }, 'max_deleted'],
  ] as const)
    expect(problemOf(await send(query))).toEqual(invalid(...offenders));
  const { body } = await send({ absent: 'delete', mode: 'lax' });
  expect(body.errors[0].detail).toBe('delete needs relation_id and mode=strict');
});

test('an idempotency key covers absent and max_deleted, and its first response has the deletions', async () => {
  for (const customer_reference of ['a', 'b']) await create(ano, { relation_id, customer_reference, center: '48.2, 16.2' });
  const key = `key ${randomUUID()}`;
  const first = await sync(csv('a'), {}, { key });
  expect(counts(first)).toEqual(done({ rows: 1, unchanged: 1, deleted: 1 }));
  await create(ano, { relation_id, customer_reference: 'c' });
  expect((await sync(csv('a'), {}, { key })).body).toEqual(first.body);
  expect(await references()).toEqual(['a', 'c']);
  for (const query of [{}, { absent: 'delete', max_deleted: '9' }] as Record<string, string>[])
    expect(problemOf(await importFile(ano, csv('a'), { key, query: { relation_id, ...query } }))).toEqual(
      refusal(422, 'idempotency-key-taken'),
    );
});

test('an export, sent as the whole truth after anything else, restores the relation', async () => {
  const fields = ['technology', 'country', 'address_id', 'lot_id'] as const;
  for (let n = 0; n < 40; n++) {
    const optional = Object.fromEntries(
      fields.filter((_field, index) => (n >> index) & 1).map((field) => [field, field === 'country' ? 'AT' : `${field}, "${n}"`]),
    );
    const token = ['planned', 'construction', 'operation'][n % 3];
    await create(ano, {
      relation_id,
      token,
      status: n % 2 ? 'active' : 'suspended',
      center: `48.${n}5, -16.${n}`,
      customer_reference: `=${n}`,
      ...optional,
    });
  }
  for (const format of ['csv', 'tsv', 'ndjson', 'geojson'] as const) {
    const sorted = async () => (await exportFile(ano, 'ndjson', { relation_id })).split('\n').sort();
    const [before, file] = [await sorted(), await exportFile(ano, format, { relation_id })];
    const nodes = await stored();
    const other = csv('=1', '=3', ...numbered(30));
    expect(counts(await sync(other, { max_deleted: '40' }))).toEqual(done({ rows: 32, created: 30, updated: 2, deleted: 38 }));
    expect(counts(await sync(file, { max_deleted: '30' }, { format }))).toEqual(done({ rows: 40, created: 38, updated: 2, deleted: 30 }));
    expect(await sorted()).toEqual(before);
    const ids = new Set(idsOf(await stored()));
    expect(nodes.filter(({ node_id }) => ids.has(node_id)).map(({ customer_reference }) => customer_reference)).toEqual(['=1', '=3']);
  }
});

test('a relation that the statistics do not know is compared in one pass', async () => {
  await sql(service.databaseUrl, 'analyze access_node');
  const count = volume(4_000, 20_000);
  const rows = numbered(count);
  await importFile(ano, csv(...rows), { query: { relation_id } });
  const started = performance.now();
  const { body } = await sync(csv(...rows.slice(100)));
  expect(body).toMatchObject({ unchanged: count - 100, deleted: 100 });
  // Comparing each node with each row would take minutes.
  expect(performance.now() - started).toBeLessThan(30_000);
});
