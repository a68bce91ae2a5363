import { startTestService, type TestService } from '@fibre/testing';
import { coverageService } from '../../src/coverage-service.js';
import { FILE_FORMATS, type FileFormat, importFile } from '../node-import/imports.js';
import { RELATIONS } from '../relations/relations.js';
import { type Client, create, invalid, newNode, NODES, operator, problemOf } from './access-nodes.js';

let service: TestService;
let ano: Client;
beforeAll(async () => {
  service = await startTestService(coverageService, { ADDRESS_ID_PATTERN: '.*' });
  ano = await operator(service);
});
afterAll(() => service.close());

/** Fields by which others find a node. */
const KEYS = ['customer_reference', 'technology', 'address_id', 'lot_id'];
/** Texts that look like `Haus 1`. */
const LOOK_ALIKES = ['Haus 1 ', ' Haus 1', 'Haus 1\u00a0', 'Haus\t1', 'Haus 1\u200b', 'Ha\u00adus 1', 'Haus 1\ufeff', 'Haus\u202e 1'];

/** A file of one node, in any format. */
function fileOf(format: FileFormat, node: Record<string, unknown>): string {
  const { center, ...properties } = node as { center: string };
  const [latitude, longitude] = center.split(', ').map(Number);
  if (format === 'ndjson') return JSON.stringify(node);
  if (format === 'geojson') {
    const feature = { type: 'Feature', geometry: { type: 'Point', coordinates: [longitude, latitude] }, properties };
    return JSON.stringify({ type: 'FeatureCollection', features: [feature] });
  }
  const cells = [Object.keys(node), Object.values(node).map((value) => `"${String(value)}"`)];
  return cells.map((line) => line.join(format === 'tsv' ? '\t' : ',')).join('\n');
}

test.each(KEYS)('a %s that looks like another is refused, with the character and its place', async (field) => {
  const { node_id, relation_id } = await create(ano, { [field]: 'Haus 1' });
  for (const value of LOOK_ALIKES) {
    const created = await ano.post(NODES).send(newNode({ relation_id, [field]: value }));
    expect([value, problemOf(created)]).toEqual([value, invalid(`#/${field}`)]);
    expect((created.body as { errors: unknown }).errors).toEqual([
      { pointer: `#/${field}`, detail: expect.stringMatching(/U\+[0-9A-F]{4} as character \d$/) },
    ]);
    expect([value, problemOf(await ano.patch(`${NODES}${node_id}`).send({ [field]: value }))]).toEqual([value, invalid(`#/${field}`)]);
    if (field !== 'lot_id') expect([value, problemOf(await ano.get(NODES).query({ [field]: value }))]).toEqual([value, invalid(field)]);
  }
});

test.each(FILE_FORMATS)('a %s file refuses each of them, by line and column', async (format) => {
  for (const field of KEYS) {
    for (const value of LOOK_ALIKES) {
      const { status, body } = await importFile(ano, fileOf(format, newNode({ [field]: value })), { format });
      expect([field, value, status, body.errors]).toEqual([field, value, 422, [expect.objectContaining({ column: field })]]);
    }
  }
});

test.each(FILE_FORMATS)('a %s file refuses a key that a spreadsheet has shortened, which a client may send otherwise', async (format) => {
  for (const field of KEYS) {
    const { status, body } = await importFile(ano, fileOf(format, newNode({ [field]: '1.00023E+11' })), { format });
    expect([field, status, body.errors]).toEqual([
      field,
      422,
      [expect.objectContaining({ column: field, detail: expect.stringContaining('spreadsheet') })],
    ]);
    for (const value of ['1E5', 'E+11', '12E+11x', '00123'])
      expect((await importFile(ano, fileOf(format, newNode({ [field]: value })), { format })).status).toBe(200);
  }
  await create(ano, { customer_reference: '1.00023E+11' });
});

test('names and infrastructure providers have no white space at their ends and no control characters', async () => {
  const relation = { name: 'Innere Stadt', pip: 'Stadtnetz' };
  for (const field of ['name', 'pip']) {
    for (const value of ['Netz ', '\u00a0Netz', 'Ne\ntz'])
      expect(problemOf(await ano.post(RELATIONS).send({ ...relation, [field]: value }))).toEqual(invalid(`#/${field}`));
  }
  // Names of people and places may need a joiner.
  await ano
    .post(RELATIONS)
    .send({ ...relation, name: 'می\u200cخواهم' })
    .expect(201);
});
