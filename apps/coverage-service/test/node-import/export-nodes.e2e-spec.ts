import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { finished } from 'node:stream/promises';
import { startServiceProcess, startTestService, TEST_AUDIENCE, type TestService, until } from '@fibre/testing';
import fc from 'fast-check';
import { OPTIONAL_FIELDS, type OptionalField } from '../../src/access-nodes/access-node.js';
import { coverageService } from '../../src/coverage-service.js';
import { type Client, create, invalid, list, type Node, NODES, operator, problemOf, refusal } from '../access-nodes/access-nodes.js';
import { optionalValues, SPECIAL, withFittingUnits } from '../access-nodes/optional-values.js';
import { counts, done, EXPORT, exportFile, FILE_FORMATS, importFile, SEARCH_EXPORT, TYPES } from './imports.js';
import { sql } from '../database/sql.js';

let service: TestService;
let ano: Client;

beforeAll(async () => {
  service = await startTestService(coverageService);
  ano = await operator(service);
});
afterAll(() => service.close());

const degrees = (bound: number) =>
  fc
    .tuple(fc.integer({ min: -bound + 1, max: bound - 1 }), fc.stringMatching(/^[0-9]{0,9}[1-9]$/), fc.boolean())
    .map(([whole, decimals, bare]) => (bare ? `${whole}` : `${whole}.${decimals}`));
const node = fc
  .record({
    token: fc.constantFrom('planned', 'construction', 'operation'),
    center: fc.tuple(degrees(90), degrees(180)).map((both) => both.join(', ')),
    status: fc.constantFrom('active', 'started', 'suspended', 'completed', 'terminated'),
    ...optionalValues,
  })
  .map(withFittingUnits);
const nodes = fc.uniqueArray(node, {
  minLength: 1,
  maxLength: 6,
  selector: ({ customer_reference }) => customer_reference ?? Symbol('none'),
});

const bare = {
  token: 'planned',
  center: '48.2, 16.2',
  status: 'active',
  ...(Object.fromEntries(OPTIONAL_FIELDS.map((name) => [name, null])) as Record<OptionalField, null>),
} as const;
/** A node for each special text: two columns contain the text once, and a third contains it twice. */
const every = SPECIAL.map((text) => ({ ...bare, address_id: `a${text}`, lot_id: `a${text}${text}`, customer_reference: text }));

/** Who has created all nodes of this test. */
const BY = { created_by: 'client', modified_by: 'client' };

const settable = ({ node_id: _id, created_at: _at, modified_at: _modified, ...fields }: Node) => fields;

test.each(FILE_FORMATS)('an export as %s is imported unchanged, compressed or not', async (format) => {
  await fc.assert(
    fc.asyncProperty(nodes, fc.boolean(), async (given, gzip) => {
      const relation_id = randomUUID();
      for (const each of given) await create(ano, { relation_id, ...each });
      const before = await list(ano, { relation_id });
      const file = await exportFile(ano, format, { relation_id });
      expect((await ano.delete(NODES).query({ relation_id })).status).toBe(204);
      expect(counts(await importFile(ano, file, { format, gzip }))).toEqual(done({ rows: given.length, created: given.length }));
      expect((await list(ano, { relation_id })).map(settable)).toEqual(before.map(settable));
      expect(await exportFile(ano, format, { relation_id })).toBe(file);
    }),
    { numRuns: 10, examples: [[every, true]] },
  );
});

test('each format follows its standard and has a file name', async () => {
  const relation_id = randomUUID();
  await create(ano, { relation_id, token: 'planned', center: '48.2, -16.5', lot_id: 'a "b", c', customer_reference: '=1' }, 'prenodes');
  await create(ano, { relation_id, token: 'operation', center: '0, 0' }, 'prenodes');
  const of = (format: string) => exportFile(ano, format as never, { relation_id, target: 'prenodes' });
  const columns = ['relation_id', 'token', 'latitude', 'longitude', 'status', ...OPTIONAL_FIELDS, 'created_by', 'modified_by'];
  const row = (cells: Record<string, string>): string => columns.map((column) => ({ ...BY, ...cells })[column] ?? '').join(',');
  const rows = [
    row({
      relation_id,
      token: 'planned',
      latitude: '48.2',
      longitude: '-16.5',
      status: 'active',
      lot_id: '"a ""b"", c"',
      customer_reference: '=1',
    }),
    row({ relation_id, token: 'operation', latitude: '0', longitude: '0', status: 'active' }),
  ];
  expect(await of('csv')).toBe([columns.join(','), ...rows, ''].join('\r\n'));
  expect((await of('tsv')).split('\n')[0]).toBe(columns.join('\t'));
  expect(
    (await of('ndjson'))
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as object),
  ).toEqual([
    { relation_id, token: 'planned', center: '48.2, -16.5', status: 'active', lot_id: 'a "b", c', customer_reference: '=1', ...BY },
    { relation_id, token: 'operation', center: '0, 0', status: 'active', ...BY },
  ]);
  expect(JSON.parse(await of('geojson'))).toEqual({
    type: 'FeatureCollection',
    features: [
      {
        type: 'Feature',
        geometry: { type: 'Point', coordinates: [-16.5, 48.2] },
        properties: { relation_id, token: 'planned', status: 'active', lot_id: 'a "b", c', customer_reference: '=1', ...BY },
      },
      {
        type: 'Feature',
        geometry: { type: 'Point', coordinates: [0, 0] },
        properties: { relation_id, token: 'operation', status: 'active', ...BY },
      },
    ],
  });
  for (const format of FILE_FORMATS) {
    const answer = await ano.head(EXPORT).query({ format, target: 'prenodes', relation_id });
    expect([answer.status, answer.headers['content-type']!.split(';')[0], answer.headers['content-disposition']]).toEqual([
      200,
      TYPES[format],
      `attachment; filename="prenodes.${format}"`,
    ]);
  }
});

test('an empty export is still a file', async () => {
  const relation_id = randomUUID();
  expect(await exportFile(ano, 'csv', { relation_id })).toMatch(/^relation_id,.*\r\n$/);
  expect(await exportFile(ano, 'ndjson', { relation_id })).toBe('');
  expect(JSON.parse(await exportFile(ano, 'geojson', { relation_id }))).toEqual({ type: 'FeatureCollection', features: [] });
});

test('an export takes the same filters as the listing', async () => {
  const relation_id = randomUUID();
  const [first] = await Promise.all([
    create(ano, { relation_id, token: 'planned', technology: 'FTTH', customer_reference: "it's $1" }),
    create(ano, { relation_id, token: 'operation', status: 'suspended' }),
  ]);
  const count = async (query: Record<string, string>) =>
    (await exportFile(ano, 'ndjson', { relation_id, ...query })).split('\n').length - 1;
  expect(await count({})).toBe(2);
  expect(await count({ token: 'planned' })).toBe(1);
  expect(await count({ technology: 'ftth' })).toBe(1);
  expect(await count({ status: 'suspended' })).toBe(1);
  expect(await count({ customer_reference: "it's $1" })).toBe(1);
  expect(await count({ modified_since: first.created_at })).toBeGreaterThanOrEqual(1);
  expect(await count({ modified_since: '2099-01-01T00:00:00Z' })).toBe(0);
  expect(await count({ target: 'prenodes' })).toBe(0);
  const refused = await ano.get(EXPORT).query({ format: 'xlsx', _page_size: 1, token: 'x' });
  expect(problemOf(refused)).toEqual(invalid('format', '_page_size', 'token'));
  for (const accept of ['application/json', 'application/json; charset=utf-8', 'text/html;q=0.9, application/json ;indent=4;q=0.5'])
    expect((await ano.get(EXPORT).query({ format: 'csv' }).set({ accept })).headers['content-type']).toMatch(/^text\/csv/);
  expect(problemOf(await ano.get(EXPORT).set('accept', 'image/png'))).toEqual(refusal(406, 'not-acceptable'));
  const other = await operator(service, 'ano.other');
  expect(await exportFile(other, 'ndjson', { relation_id })).toBe('');
});

describe('a client that does not read', () => {
  /**
   * Rows of 16 kB, longer than a request could make them: together more than the buffers of a connection can hold, which may grow to 32 MiB
   * for the reader and 4 MiB for the writer on Linux 6.18.
   */
  const ROWS = 2_900;
  const relation_id = randomUUID();
  beforeAll(async () => {
    await sql(
      service.databaseUrl,
      `insert into access_node (node_id, tenant, relation_id, collection, token, latitude, longitude, status, lot_id)
       select gen_random_uuid(), 'ano.test', $1, 'nodes', 'planned', 48, 16, 'active', repeat('🏠', 4000)
       from generate_series(1, $2) n`,
      [relation_id, ROWS],
    );
  });

  /**
   * Starts an export and stops reading. Always uses a new connection: after reading a large file, a connection has a buffer that is large
   * enough for all of this one.
   */
  async function begin(url = service.url + EXPORT, claims: object = { scope: 'coverage:read' }) {
    const authorization = `Bearer ${await service.issuer.token(claims)}`;
    const request = get(`${url}?relation_id=${relation_id}`, { headers: { authorization }, agent: false });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    // The service may reset the connection before the test reads; Node.js then also reports it to the request.
    request.on('error', () => undefined);
    const ended = finished(response).catch(() => undefined);
    /** Reads to the end, because Node reports a broken connection only while it is read. */
    async function isWhole(): Promise<boolean> {
      response.resume();
      await ended;
      return response.complete;
    }
    return { response, isWhole };
  }
  const underWay = async (): Promise<number> => {
    const [row] = await sql<{ count: number }>(
      service.databaseUrl,
      `select count(*)::int as count from pg_stat_activity where datname = current_database() and query like 'copy (select n.%' and state = 'active'`,
    );
    return row!.count;
  };

  test('holds no lock that a writer would wait for, and reads one snapshot', async () => {
    const { response } = await begin();
    expect((await ano.delete(NODES).query({ relation_id: randomUUID() })).status).toBe(204);
    const one = await create(ano, { relation_id });
    expect((await ano.patch(`${NODES}${one.node_id}`).send({ token: 'operation' })).status).toBe(200);
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk as Buffer);
    expect(Buffer.concat(chunks).toString().split('\r\n')).toHaveLength(ROWS + 2);
    expect((await ano.delete(`${NODES}${one.node_id}`)).status).toBe(204);
  });

  test('only delays the exports of its own tenant, and is cut off after ten seconds', async () => {
    const { isWhole } = await begin();
    const own = ano.get(EXPORT).query({ relation_id }).then();
    const other = await (await operator(service, 'ano.other')).get(EXPORT).query({ relation_id });
    expect(other.status).toBe(200);
    const refused = await own;
    expect([problemOf(refused), refused.headers['retry-after']]).toEqual([refusal(503, 'unavailable'), expect.stringMatching(/^\d+$/)]);
    await until('no export is under way', async () => (await underWay()) === 0);
    expect(await isWhole()).toBe(false);
    expect((await ano.get(EXPORT).query({ relation_id: randomUUID() })).status).toBe(200);
  });

  test('only delays its own exports, if it is an ISP', async () => {
    const { response } = await begin(service.url + SEARCH_EXPORT, { tenant: 'isp.slow', scope: 'coverage:search' });
    const other = await service.as({ tenant: 'isp.other', scope: 'coverage:search' });
    expect((await other.get(SEARCH_EXPORT).query({ relation_id: randomUUID() })).status).toBe(200);
    response.destroy();
    await until('no export is under way', async () => (await underWay()) === 0);
  });

  test('is cut off when its time is up, and its response never ends normally', async () => {
    const short = await startServiceProcess('coverage-service', {
      EXPORT_MAX_SECONDS: '1',
      DATABASE_URL: service.databaseUrl,
      OAUTH_ISSUER: service.issuer.url,
      OAUTH_AUDIENCE: TEST_AUDIENCE,
    });
    try {
      const { isWhole } = await begin(short.url + EXPORT);
      await until('no export is under way', async () => (await underWay()) === 0);
      expect(await isWhole()).toBe(false);
    } finally {
      await short.stop();
    }
  });

  test('is cut off when its export loses the database connection', async () => {
    const { isWhole } = await begin();
    await sql(
      service.databaseUrl,
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query like 'copy (select n.%' and state = 'active'`,
    );
    expect(await isWhole()).toBe(false);
    await until('the service is well', async () => (await ano.get(NODES).query({ _page_size: 1 })).status === 200);
  });
});
