import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startTestService, type TestService } from '@fibre/testing';
import { AUTHORS } from '@fibre/dto';
import { FIELD_TYPES, OPTIONAL_FIELDS, type OptionalField, PRIVATE_FIELDS, PUBLIC_FIELDS } from '../../src/access-nodes/access-node.js';
import { coverageService } from '../../src/coverage-service.js';
import { type Client, create, list, type Node, NODES, operator, SEARCH } from './access-nodes.js';
import type { Value } from './optional-values.js';
import { counts, done, exportFile, FILE_FORMATS, importFile } from '../node-import/imports.js';
import { sql } from '../database/sql.js';

/** The fields that every node in a response has, and those that only its owner sees. */
const FOR_ALL = ['node_id', 'relation_id', 'collection', 'token', 'center', 'status', 'tenant', 'created_at', 'modified_at'];
const REQUIRED = [...FOR_ALL, ...AUTHORS];
const COLUMNS = [
  ...REQUIRED.filter((name) => name !== 'center'),
  'address_words',
  'latitude',
  'longitude',
  'position',
  'publication',
  'x',
  'y',
  'z',
  'version',
];

/** Two values for each optional field with its own format; the other fields get values by type. */
const SPECIAL: Partial<Record<OptionalField, Value[]>> = {
  country: ['AT', 'DE'],
  download_mbps: [1_000_000, 0.001],
  upload_mbps: [999.999, 0],
};
const OF_TYPE: Record<(typeof FIELD_TYPES)[OptionalField], (name: string, index: number) => Value> = {
  text: (name, index) => `${name} ${index}`,
  date: (_name, index) => ['0001-02-03', '9999-12-31'][index]!,
  integer: (_name, index) => index + 1,
  'double precision': (_name, index) => (index + 1.5) / 100_000,
};
const values = (index: 0 | 1, names: readonly OptionalField[] = OPTIONAL_FIELDS): Record<string, Value> =>
  Object.fromEntries(names.map((name) => [name, SPECIAL[name]?.[index] ?? OF_TYPE[FIELD_TYPES[name]](name, index)]));
const nothing = Object.fromEntries(OPTIONAL_FIELDS.map((name) => [name, null]));

let service: TestService;
let ano: Client;

beforeAll(async () => {
  service = await startTestService(coverageService);
  ano = await operator(service);
});
afterAll(() => service.close());

/** The optional fields of a node. */
const optionalOf = (node: Node): object => Object.fromEntries(Object.entries(node).filter(([name]) => !REQUIRED.includes(name)));
const read = async (id: string): Promise<object> => optionalOf((await ano.get(`${NODES}${id}`)).body as Node);

test('a creation stores every optional field; reads show all of them, and searches show the public ones', async () => {
  const center = '12.5, 99';
  const node = await create(ano, { center, ...values(0) });
  expect(optionalOf(node)).toEqual(values(0));
  expect(await read(node.node_id)).toEqual(values(0));
  expect((await list(ano, { relation_id: node.relation_id })).map(optionalOf)).toEqual([values(0)]);
  const { quality, distance, offer, ...found } = (await ano.get(SEARCH).query({ center })).body[0];
  expect([quality, distance, offer, optionalOf(found)]).toEqual(['A', 0, 'planned', values(0, PUBLIC_FIELDS)]);
});

test('an update can change and clear every optional field', async () => {
  const { node_id } = await create(ano, values(0));
  for (const name of OPTIONAL_FIELDS) {
    const { body } = await ano.patch(`${NODES}${node_id}`).send({ [name]: values(1)[name] });
    expect(body[name]).toBe(values(1)[name]);
  }
  expect(await read(node_id)).toEqual(values(1));
  await ano.patch(`${NODES}${node_id}`).send(nothing);
  expect(await read(node_id)).toEqual({});
});

test('an update of several nodes can change and clear every optional field, but for the reference', async () => {
  const { node_id } = await create(ano, values(0));
  const { customer_reference: _own, ...changes } = values(1);
  const update = (set: object) =>
    ano
      .patch(NODES)
      .send({ node_ids: [node_id], set })
      .expect(200, { updated: 1, unchanged: 0 });
  for (const [name, value] of Object.entries(changes)) await update({ [name]: value });
  expect(await read(node_id)).toEqual({ ...values(1), customer_reference: values(0)['customer_reference'] });
  await update(Object.fromEntries(Object.keys(changes).map((name) => [name, null])));
  expect(await read(node_id)).toEqual({ customer_reference: values(0)['customer_reference'] });
});

test('a merge replaces every optional field of the counterpart, and clears absent ones', async () => {
  const relation_id = randomUUID();
  const customer_reference = 'the same';
  const merged = async (before: object, after: object): Promise<object> => {
    const counterpart = await create(ano, { relation_id, ...before, customer_reference });
    await create(ano, { relation_id, ...after, customer_reference }, 'prenodes');
    expect((await ano.put(NODES).query({ relation_id })).body).toEqual({ action: [{ count: 1, merge_action: 'UPDATE' }] });
    const found = await read(counterpart.node_id);
    await ano.delete(NODES).query({ relation_id });
    return found;
  };
  expect(await merged(values(0), values(1))).toEqual({ ...values(1), customer_reference });
  expect(await merged({}, values(1))).toEqual({ ...values(1), customer_reference });
  expect(await merged(values(0), {})).toEqual({ customer_reference });
});

test.each(FILE_FORMATS)('every optional field can be exported and imported as %s, including changed and cleared values', async (format) => {
  const relation_id = randomUUID();
  const stored = async () => (await list(ano, { relation_id })).map(optionalOf);
  const importAs = (file: string) => importFile(ano, file, { format, query: { relation_id } });
  await create(ano, { relation_id, ...values(0) });
  const file = await exportFile(ano, format, { relation_id });
  expect(counts(await importAs(file))).toEqual(done({ rows: 1, unchanged: 1 }));
  await ano.delete(NODES).query({ relation_id });
  expect(counts(await importAs(file))).toEqual(done({ rows: 1, created: 1 }));
  expect(await stored()).toEqual([values(0)]);

  const [{ customer_reference: _own, ...others }, [node]] = [values(1), await list(ano, { relation_id })];
  await ano.patch(`${NODES}${node!.node_id}`).send(others);
  const changed = await exportFile(ano, format, { relation_id });
  await importAs(file);
  expect(counts(await importAs(changed))).toEqual(done({ rows: 1, updated: 1 }));
  expect(await stored()).toEqual([{ ...values(1), customer_reference: values(0)['customer_reference'] }]);
});

test('docs/import.md lists every optional field', async () => {
  const guide = await readFile(join(import.meta.dirname, '../../../../docs/import.md'), 'utf8');
  expect(OPTIONAL_FIELDS.filter((name) => !guide.includes(`\`${name}\``))).toEqual([]);
});

test('requests, responses and the table have exactly these optional fields', async () => {
  const { components } = (await service.anonymous().get('/v2/cov/openapi.json')).body;
  const sorted = (...names: string[]): string[] => names.sort();
  const expected = {
    CreateAccessNodeRequest: ['relation_id', 'token', 'center', 'status', ...OPTIONAL_FIELDS],
    UpdateAccessNodeRequest: ['token', 'center', 'status', ...OPTIONAL_FIELDS],
    AccessNodeResponse: [...REQUIRED, ...OPTIONAL_FIELDS],
    SearchResultResponse: [...FOR_ALL, ...PUBLIC_FIELDS, 'offer', 'quality', 'distance'],
  };
  for (const [schema, members] of Object.entries(expected))
    expect([schema, ...Object.keys(components.schemas[schema].properties).sort()]).toEqual([schema, ...members.sort()]);
  const columns = await sql<{ name: string; type: string }>(
    service.databaseUrl,
    `select c.column_name as name, c.data_type as type from information_schema.columns c where c.table_name = 'access_node'`,
  );
  expect(columns.map(({ name }) => name).sort()).toEqual(sorted(...COLUMNS, ...OPTIONAL_FIELDS));
  const types = Object.fromEntries(columns.filter(({ name }) => name in FIELD_TYPES).map(({ name, type }) => [name, type]));
  expect(types).toEqual(FIELD_TYPES);
  expect(PRIVATE_FIELDS).toContain('customer_reference');
});
