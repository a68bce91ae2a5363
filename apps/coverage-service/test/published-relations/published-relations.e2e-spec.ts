import { randomUUID } from 'node:crypto';
import { startTestService, type TestService } from '@fibre/testing';
import { volume } from '@fibre/testing/volume';
import { coverageService } from '../../src/coverage-service.js';
import { CONTACT_FIELDS } from '../../src/relations/relation.entity.js';
import { MAX_COUNTED } from '../../src/relations/relation.sql.js';
import { type Client, create, invalid, NODES, operator, problemOf, refusal, SEARCH } from '../access-nodes/access-nodes.js';
import { sql } from '../database/sql.js';
import { linksOf, walk } from '../pages/pages.js';
import { createRelation, type Relation, RELATIONS, relationUrl } from '../relations/relations.js';

const PUBLISHED = `${SEARCH}relations/`;
const CONTACT = {
  operator: 'Wiener Glasfaser',
  contact_name: 'Wholesale "desk"',
  contact_email: 'wholesale@ano.example',
  contact_phone: '+43 1 234567',
  order_url: 'https://ano.example/order?from=isp#now',
};

let service: TestService;
let isp: Client;
let [ano, other]: Client[] = [];

beforeAll(async () => {
  service = await startTestService(coverageService);
  isp = await service.as({ tenant: 'isp.test', scope: 'coverage:search' });
  [ano, other] = [await operator(service), await operator(service, 'ano.other')];
});
beforeEach(() => sql(service.databaseUrl, 'truncate access_node, relation'));
afterAll(() => service.close());

interface Published {
  readonly relation_id: string;
  readonly tenant: string;
  readonly nodes: Readonly<Record<'planned' | 'construction' | 'operation', number>>;
}
async function published(query: object = {}): Promise<Published[]> {
  const answer = await isp.get(PUBLISHED).query(query);
  expect(answer.status).toBe(200);
  return answer.body as Published[];
}
const idsOf = (relations: readonly { relation_id: string }[]): string[] => relations.map(({ relation_id }) => relation_id);

test('an ISP sees whose nodes there are, whom to contact, and how many there are by stage, but no name and comment', async () => {
  const relation = await createRelation(ano!, { pip: 'Stadtnetz', comment: 'secret', ...CONTACT });
  const { relation_id } = relation;
  await create(ano!, { relation_id, token: 'planned' });
  await create(ano!, { relation_id, token: 'operation', status: 'terminated' });
  await create(ano!, { relation_id, token: 'operation' });
  await create(ano!, { relation_id, token: 'construction' }, 'prenodes');
  const plain = await createRelation(other!);
  await create(other!, { relation_id: plain.relation_id, token: 'construction' });

  const expected = [
    {
      relation_id,
      tenant: 'ano.test',
      pip: 'Stadtnetz',
      ...CONTACT,
      nodes: { planned: 1, construction: 0, operation: 2 },
      modified_at: relation.modified_at,
    },
    {
      relation_id: plain.relation_id,
      tenant: 'ano.other',
      pip: plain.pip,
      nodes: { planned: 0, construction: 1, operation: 0 },
      modified_at: plain.modified_at,
    },
  ];
  expect(await published()).toEqual(expected);
  for (const one of expected) expect((await isp.get(`${PUBLISHED}${one.relation_id}/`)).body).toEqual(one);
  expect(await published({ tenant: 'ano.other' })).toEqual(expected.slice(1));
  expect(await published({ tenant: 'nobody' })).toEqual([]);

  await ano!.patch(relationUrl(relation)).send({ operator: null, order_url: null }).expect(200);
  expect(Object.keys((await published())[0]!)).toEqual(
    Object.keys(expected[0]!).filter((name) => !['operator', 'order_url'].includes(name)),
  );
});

test('only relations that their tenant has created and that have nodes in production are listed', async () => {
  const relations: Relation[] = [];
  for (let count = 0; count < 4; count++) relations.push(await createRelation(ano!));
  const [used, empty, waiting, named] = relations as [Relation, Relation, Relation, Relation];
  const { node_id } = await create(ano!, { relation_id: used.relation_id });
  await create(ano!, { relation_id: waiting.relation_id }, 'prenodes');
  // Another tenant's nodes that name the relation are not the relation's.
  await create(other!, { relation_id: named.relation_id });
  const unknown = await create(other!);
  expect(idsOf(await published())).toEqual([used.relation_id]);
  for (const relation_id of [empty.relation_id, waiting.relation_id, named.relation_id, unknown.relation_id, randomUUID()])
    expect(problemOf(await isp.get(`${PUBLISHED}${relation_id}`))).toEqual(refusal(404, 'not-found'));
  await ano!.put(NODES).query({ relation_id: waiting.relation_id }).expect(200);
  expect(idsOf(await published())).toEqual(idsOf([used, waiting]));
  await ano!.delete(`${NODES}${node_id}`).expect(204);
  expect(idsOf(await published())).toEqual([waiting.relation_id]);
});

test('the list has pages, oldest first, over all tenants', async () => {
  const relations: Relation[] = [];
  for (let count = 0; count < 7; count++) {
    const client = count % 2 === 0 ? ano! : other!;
    const relation = await createRelation(client);
    await create(client, { relation_id: relation.relation_id });
    relations.push(relation);
  }
  const walked = await walk(isp, `${PUBLISHED}?_page_size=3`);
  expect(idsOf(walked as unknown as Published[])).toEqual(idsOf(relations));
  const answer = await isp.get(PUBLISHED).query({ _page_size: 3 });
  expect([answer.headers['x-page-size'], answer.headers['x-page-count']]).toEqual(['3', '3']);
  const others = idsOf(relations.filter((_, index) => index % 2 === 1));
  expect(idsOf(await published({ tenant: 'ano.other' }))).toEqual(others);
  // The links and the count are those of the filter, and a cursor belongs to it.
  expect(idsOf((await walk(isp, `${PUBLISHED}?tenant=ano.other&_page_size=2`)) as unknown as Published[])).toEqual(others);
  const filtered = await isp.get(PUBLISHED).query({ tenant: 'ano.other', _page_size: 2 });
  expect(filtered.headers['x-page-count']).toBe('2');
  const _page_cursor = linksOf(filtered).next!.searchParams.get('_page_cursor')!;
  for (const query of [{ _page_cursor }, { _page_cursor, tenant: 'ano.test' }])
    expect(problemOf(await isp.get(PUBLISHED).query(query))).toEqual(invalid('_page_cursor'));
  expect(problemOf(await isp.get(PUBLISHED).query({ tenant: '', name: 'x', _page_size: 0 }))).toEqual(
    invalid('tenant', 'name', '_page_size'),
  );
  expect(problemOf(await isp.get(`${PUBLISHED}x`))).toEqual(invalid('relation_id'));
});

const COUNTS = volume('the counts of few nodes are exact', 'up to 100,000 nodes the counts are exact, and above that they are estimates');
test(COUNTS, async () => {
  const { relation_id } = await createRelation(ano!);
  const fill = (from: number, to: number): Promise<unknown> =>
    sql(
      service.databaseUrl,
      `insert into access_node (node_id, tenant, relation_id, collection, token, latitude, longitude, status)
       select gen_random_uuid(), 'ano.test', $1, 'nodes', (array['planned', 'operation', 'operation', 'operation'])[1 + n % 4], 48, 16, 'active'
       from generate_series($2::int, $3::int) n`,
      [relation_id, from, to],
    );
  const many = volume(1_000, MAX_COUNTED);
  await fill(1, many);
  expect((await published())[0]!.nodes).toEqual({ planned: many / 4, construction: 0, operation: (many * 3) / 4 });
  if (many < MAX_COUNTED) return;
  await fill(100_001, 160_000);
  await sql(service.databaseUrl, 'analyze access_node');
  const [{ nodes }] = (await published()) as [Published];
  expect(nodes.planned).toBeGreaterThan(35_000);
  expect(nodes.planned).toBeLessThan(45_000);
  expect(nodes.operation).toBeGreaterThan(110_000);
  expect(nodes.operation).toBeLessThan(130_000);
  expect((await isp.get(`${PUBLISHED}${relation_id}`)).body.nodes.operation).toBeGreaterThan(110_000);
});

describe('the contact fields of a relation', () => {
  test('are set, changed, cleared and listed like its comment', async () => {
    const relation = await createRelation(ano!, CONTACT);
    expect(relation).toMatchObject(CONTACT);
    expect((await ano!.get(relationUrl(relation))).body).toMatchObject(CONTACT);
    expect((await ano!.get(RELATIONS)).body).toEqual([relation]);
    for (const name of CONTACT_FIELDS) {
      const value = name === 'order_url' ? 'https://b' : 'b';
      expect((await ano!.patch(relationUrl(relation)).send({ [name]: value })).body[name]).toBe(value);
    }
    const cleared = await ano!.patch(relationUrl(relation)).send(Object.fromEntries(CONTACT_FIELDS.map((name) => [name, null])));
    const times = ['created_at', 'created_by', 'modified_at', 'modified_by'];
    expect(Object.keys(cleared.body)).toEqual(['relation_id', 'name', 'pip', 'tenant', ...times]);
  });

  test.each(CONTACT_FIELDS.filter((name) => name !== 'order_url'))('%s has 1 to 255 characters', async (name) => {
    for (const value of ['x', '😀'.repeat(255)]) expect(await createRelation(ano!, { [name]: value })).toMatchObject({ [name]: value });
    for (const value of ['', 'x'.repeat(256), 'a\0b', 1, ['x'], {}])
      expect([value, problemOf(await ano!.post(RELATIONS).send({ name: 'n', pip: 'p', [name]: value }))]).toEqual([
        value,
        invalid(`#/${name}`),
      ]);
  });

  test('order_url is an https URL, because the portal of an ISP links to it', async () => {
    for (const order_url of ['https://a', 'HTTPS://ano.example:8443/x?y=ü#z', `https://a/${'x'.repeat(2_038)}`])
      expect(await createRelation(ano!, { order_url })).toMatchObject({ order_url });
    const relation = await createRelation(ano!);
    for (const order_url of [
      '',
      'http://ano.example',
      'javascript:alert(1)',
      'https:ano.example',
      'https:///ano.example',
      'https://',
      'ano.example',
      'https://bank.example@ano.example/',
      'https://a b',
      'https://a/\n',
      'https://a\\b',
      ' https://a',
      `https://a/${'x'.repeat(2_039)}`,
      1,
      ['https://a'],
      {},
    ])
      expect([order_url, problemOf(await ano!.patch(relationUrl(relation)).send({ order_url }))]).toEqual([
        order_url,
        invalid('#/order_url'),
      ]);
  });
});
