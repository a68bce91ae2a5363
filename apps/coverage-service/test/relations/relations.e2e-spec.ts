import { randomUUID } from 'node:crypto';
import { startTestService, type TestService } from '@fibre/testing';
import { volume } from '@fibre/testing/volume';
import { validate, version } from 'uuid';
import { coverageService } from '../../src/coverage-service.js';
import { MAX_COUNTED } from '../../src/relations/relation.sql.js';
import { type Client, create, invalid, NODES, operator, problemOf, refusal, TIMESTAMP } from '../access-nodes/access-nodes.js';
import { linksOf, walk } from '../pages/pages.js';
import { createRelation, newRelation, type Relation, RELATIONS, relationUrl } from './relations.js';
import { sql } from '../database/sql.js';

let service: TestService;
let ano: Client;

beforeAll(async () => {
  service = await startTestService(coverageService);
  ano = await operator(service);
});
afterAll(() => service.close());

const post = (body: object) => ano.post(RELATIONS).send(body);
const list = async (query: Record<string, unknown>, client = ano): Promise<Relation[]> =>
  (await client.get(RELATIONS).query(query).expect(200)).body as Relation[];

describe('creation', () => {
  test('returns 201 with Location, the entity tag, and the whole relation', async () => {
    const answer = await post({ name: 'Innere Stadt', pip: 'Wien Netz', comment: 'ring road' });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      relation_id: expect.any(String),
      name: 'Innere Stadt',
      pip: 'Wien Netz',
      comment: 'ring road',
      tenant: 'ano.test',
      created_at: expect.stringMatching(TIMESTAMP),
      created_by: 'client',
      modified_at: answer.body.created_at,
      modified_by: 'client',
    });
    expect([validate(answer.body.relation_id), version(answer.body.relation_id as string)]).toEqual([true, 7]);
    expect(answer.headers).toMatchObject({ location: relationUrl(answer.body), etag: '"1"', 'cache-control': 'private, no-store' });
    const read = await ano.get(answer.headers['location']!);
    expect([read.status, read.headers['etag'], read.body]).toEqual([200, '"1"', { ...answer.body, prenodes: 0, nodes: 0 }]);
  });

  test('works without a trailing slash, and null for a comment means absent', async () => {
    const answer = await ano.post(RELATIONS.slice(0, -1)).send(newRelation({ comment: null }));
    const times = ['created_at', 'created_by', 'modified_at', 'modified_by'];
    expect([answer.status, Object.keys(answer.body)]).toEqual([201, ['relation_id', 'name', 'pip', 'tenant', ...times]]);
    expect((await ano.get(relationUrl(answer.body).slice(0, -1))).body).toMatchObject(answer.body);
  });

  test('an error lists every invalid part at once', async () => {
    expect(problemOf(await post({}))).toEqual(invalid('#/name', '#/pip'));
    const answer = await ano
      .post(RELATIONS)
      .query({ target: 'nodes' })
      .send({ name: '', pip: null, comment: 1, relation_id: randomUUID(), tenant: 'x', nodes: 1 });
    expect(problemOf(answer)).toEqual(invalid('target', '#/name', '#/pip', '#/comment', '#/relation_id', '#/tenant', '#/nodes'));
    expect(problemOf(await post([]))).toEqual(refusal(400, 'malformed-request'));
    expect(problemOf(await ano.post(RELATIONS))).toEqual(refusal(400, 'malformed-request'));
    expect(problemOf(await ano.post(RELATIONS).type('application/merge-patch+json').send('{}'))).toEqual(
      refusal(415, 'unsupported-media-type'),
    );
  });

  test.each<[keyof Relation, number]>([
    ['name', 255],
    ['pip', 255],
    ['comment', 4000],
  ])('%s has 1 to %i characters, and an emoji counts as one', async (field, most) => {
    const relation = await createRelation(ano, { [field]: '😀'.repeat(most) });
    expect(relation[field]).toBe('😀'.repeat(most));
    expect((await ano.get(relationUrl(relation))).body[field]).toBe('😀'.repeat(most));
    expect((await list({ name: relation.name }))[0]).toEqual(relation);
    for (const value of ['', '😀'.repeat(most + 1), 'x'.repeat(most + 1), 'a\0b', 'a\ud800', 1, true, ['x'], {}]) {
      expect([value, problemOf(await post(newRelation({ [field]: value })))]).toEqual([value, invalid(`#/${field}`)]);
      expect([value, problemOf(await ano.patch(relationUrl(relation)).send({ [field]: value }))]).toEqual([value, invalid(`#/${field}`)]);
    }
    await ano.delete(relationUrl(relation)).expect(204);
  });

  test.each(['<script>alert(1)</script>', `'; drop table relation; --`, '"\\\u2028 ß', 'é e\u0301', '{"a":1}', 'null'])(
    'every response returns the text %j unchanged',
    async (text) => {
      const relation = await createRelation(ano, { name: text, pip: text, comment: text });
      expect(relation).toMatchObject({ name: text, pip: text, comment: text });
      expect((await ano.get(relationUrl(relation))).body).toMatchObject(relation);
      expect(await list({ name: text, pip: text })).toEqual([relation]);
    },
  );
});

describe('the name', () => {
  test('is unique per tenant, compared exactly, and free again after a change', async () => {
    const { relation_id, name } = await createRelation(ano, { name: 'Graz "Süd"' });
    const answer = await post(newRelation({ name }));
    expect(problemOf(answer)).toEqual(refusal(409, 'relation-name-taken'));
    expect(answer.body).toMatchObject({ conflicts_with: [{ relation_id }], detail: expect.stringContaining(relation_id) });

    for (const another of ['graz "Süd"', 'Graz  "Süd"', 'Graz "Su\u0308d"']) await createRelation(ano, { name: another });
    const other = await operator(service, 'ano.other');
    const theirs = await createRelation(other, { name });
    // The conflict is with the tenant's own relation.
    expect((await other.post(RELATIONS).send(newRelation({ name }))).body.conflicts_with).toEqual([{ relation_id: theirs.relation_id }]);

    const second = await createRelation(ano);
    const rename = await ano.patch(relationUrl(second)).send({ name });
    expect([problemOf(rename), rename.body.conflicts_with]).toEqual([refusal(409, 'relation-name-taken'), [{ relation_id }]]);
    expect((await ano.patch(relationUrl({ relation_id })).send({ name })).status).toBe(200);
    await ano.patch(relationUrl({ relation_id })).send({ name: 'Graz Süd' }).expect(200);
    await ano.patch(relationUrl(second)).send({ name }).expect(200);
    await ano.delete(relationUrl(second)).expect(204);
    await createRelation(ano, { name });
  });
});

describe('the listing', () => {
  let tenant: Client;
  let relations: Relation[];

  beforeAll(async () => {
    tenant = await operator(service, 'ano.listing');
    relations = [];
    for (const pip of ['east', 'west', 'east', 'West', 'east']) relations.push(await createRelation(tenant, { pip }));
    await createRelation(await operator(service, 'ano.listing2'), { name: relations[0]!.name, pip: 'east' });
  });

  test("contains only the tenant's relations, oldest first, each in the same form as when it was created", async () => {
    expect(await list({}, tenant)).toEqual(relations);
    const text = (await tenant.get(RELATIONS)).text;
    expect(JSON.stringify(JSON.parse(text))).toBe(JSON.stringify(relations));
  });

  test('is walked page by page, with its filters in the links', async () => {
    for (const size of [1, 2, 3, 5]) {
      expect(await walk(tenant, `${RELATIONS}?_page_size=${size}`)).toEqual(relations);
      const answer = await tenant.get(RELATIONS).query({ pip: 'east', _page_size: size });
      expect(answer.headers).toMatchObject({ 'x-page-size': String(size), 'x-page-count': String(Math.ceil(3 / size)) });
      expect(await walk(tenant, `${RELATIONS}?pip=east&_page_size=${size}`)).toEqual(relations.filter(({ pip }) => pip === 'east'));
    }
    const { next } = linksOf(await tenant.get(RELATIONS).query({ pip: 'east', _page_size: 1 }));
    expect([next!.pathname, next!.searchParams.get('pip'), next!.searchParams.get('_page_size')]).toEqual([RELATIONS, 'east', '1']);
    const _page_cursor = next!.searchParams.get('_page_cursor')!;
    for (const query of [{ _page_cursor }, { _page_cursor, pip: 'west' }, { _page_cursor: 'x' }]) {
      expect(problemOf(await tenant.get(RELATIONS).query(query))).toEqual(invalid('_page_cursor'));
    }
    expect(problemOf(await (await operator(service, 'ano.listing2')).get(RELATIONS).query({ pip: 'east', _page_cursor }))).toEqual(
      invalid('_page_cursor'),
    );
    expect(problemOf(await tenant.get(NODES).query({ _page_cursor }))).toEqual(invalid('_page_cursor'));
  });

  test('is filtered by the exact name and the exact provider', async () => {
    const [first, , , upper] = relations;
    expect(await list({ name: first!.name }, tenant)).toEqual([first]);
    expect(await list({ pip: 'West' }, tenant)).toEqual([upper]);
    expect(await list({ name: first!.name, pip: 'west' }, tenant)).toEqual([]);
    const none = await tenant.get(RELATIONS).query({ name: 'RELATION 1' });
    expect([none.status, none.body, none.headers['x-page-count']]).toEqual([200, [], '0']);
  });

  test.each<[query: string, ...offenders: string[]]>([
    ['name=', 'name'],
    ['name=a%00', 'name'],
    ['pip=a%00', 'pip'],
    [`name=${'x'.repeat(256)}`, 'name'],
    ['name=a&name=b', 'name'],
    ['comment=a', 'comment'],
    ['relation_id=x&tarqet=1', 'relation_id', 'tarqet'],
    ['_page_size=0', '_page_size'],
    ['_page_size=2001', '_page_size'],
  ])('refuses ?%s', async (query, ...offenders) => {
    expect(problemOf(await tenant.get(`${RELATIONS}?${query}`))).toEqual(invalid(...offenders));
  });

  test('a page of the largest relations has at most 8 MiB, and a walk returns them all', async () => {
    const large = await operator(service, 'ano.large');
    await sql(
      service.databaseUrl,
      `insert into relation (tenant, relation_id, name, pip, comment)
       select 'ano.large', (lpad(to_hex(n), 8, '0') || '-0000-7000-8000-000000000000')::uuid, n::text, repeat('😀', 255), repeat('😀', 4000)
       from generate_series(1, 700) n`,
    );
    const sizes: number[] = [];
    const walked = await walk(large, `${RELATIONS}?_page_size=2000`, (_page, { text }) => void sizes.push(Buffer.byteLength(text)));
    expect(walked.map(({ name }) => Number(name))).toEqual(Array.from({ length: 700 }, (_, index) => index + 1));
    expect(sizes.length).toBeGreaterThan(1);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(8 * 1024 ** 2);
  });
});

describe('the update', () => {
  test('is a merge patch: absent members keep their value, and null clears the comment', async () => {
    const relation = await createRelation(ano, { comment: 'old' });
    const url = relationUrl(relation);
    const changed = await ano
      .patch(url)
      .type('application/merge-patch+json')
      .send(JSON.stringify({ pip: 'Other' }));
    expect([changed.status, changed.headers['etag']]).toEqual([200, '"2"']);
    expect(changed.body).toEqual({ ...relation, pip: 'Other', modified_at: expect.stringMatching(TIMESTAMP) });
    expect(changed.body.modified_at >= relation.modified_at).toBe(true);
    const cleared = await ano.patch(url).send({ comment: null });
    expect([cleared.status, 'comment' in cleared.body, cleared.headers['etag']]).toEqual([200, false, '"3"']);
    expect((await ano.get(url)).body).toEqual({ ...cleared.body, prenodes: 0, nodes: 0 });
  });

  test('with an empty object changes nothing', async () => {
    const relation = await createRelation(ano);
    const answer = await ano.patch(relationUrl(relation)).send({});
    expect([answer.status, answer.headers['etag'], answer.body]).toEqual([200, '"1"', relation]);
  });

  test('equal values change nothing, and are judged by the conditions', async () => {
    const relation = await createRelation(ano, { comment: 'c', operator: 'Stadtnetz' });
    const url = relationUrl(relation);
    const etag = (await ano.get(url)).headers['etag']!;
    const equal = { name: relation.name, pip: relation.pip, comment: 'c', operator: 'Stadtnetz', contact_name: null };
    for (const conditions of [{}, { 'if-match': etag }]) {
      const answer = await ano.patch(url).set(conditions).send(equal);
      expect([answer.status, answer.headers['etag'], answer.body]).toEqual([200, etag, relation]);
    }
    expect(problemOf(await ano.patch(url).set('if-match', '"7"').send(equal))).toEqual(refusal(412, 'precondition-failed'));
    expect((await ano.get(url)).body).toMatchObject(relation);
  });

  test.each(['relation_id', 'tenant', 'prenodes', 'nodes', 'created_at', 'modified_at', 'version', '__proto__'])(
    'of %s is rejected',
    async (name) => {
      const relation = await createRelation(ano);
      const body = `{"pip":"x",${JSON.stringify(name)}:"x"}`;
      expect(problemOf(await ano.patch(relationUrl(relation)).type('application/json').send(body))).toEqual(invalid(`#/${name}`));
      expect((await ano.get(relationUrl(relation))).body).toMatchObject(relation);
    },
  );

  test('cannot clear the name or the provider', async () => {
    const relation = await createRelation(ano);
    expect(problemOf(await ano.patch(relationUrl(relation)).send({ name: null, pip: null }))).toEqual(invalid('#/name', '#/pip'));
  });
});

describe('versions', () => {
  let relation: Relation;
  let url: string;

  beforeEach(async () => {
    relation = await createRelation(ano);
    url = relationUrl(relation);
    await ano.patch(url).send({ comment: 'version 2' }).expect(200);
  });

  test.each(['"2"', '"1", "2"', '*'])('If-Match: %s allows a write to the current version', async (tags) => {
    expect((await ano.patch(url).set('if-match', tags).send({})).status).toBe(200);
    expect((await ano.patch(url).set('if-match', tags).send({ pip: 'x' })).headers['etag']).toBe('"3"');
    expect((await ano.delete(url).set('if-match', tags.replaceAll('2', '3'))).status).toBe(204);
  });

  test.each(['"1"', 'W/"2"', '"3", "1"', '""'])('If-Match: %s prevents a write', async (tags) => {
    for (const attempt of [ano.patch(url).send({ pip: 'x' }), ano.patch(url).send({}), ano.delete(url)]) {
      expect(problemOf(await attempt.set('if-match', tags))).toEqual(refusal(412, 'precondition-failed'));
    }
    expect((await ano.get(url)).headers['etag']).toBe('"2"');
  });

  test.each(['2', '*, "2"', 'w/"2"', ''])('the malformed tags %j are rejected', async (tags) => {
    for (const attempt of [ano.patch(url).send({ pip: 'x' }), ano.delete(url)]) {
      expect(problemOf(await attempt.set('if-match', tags))).toEqual(invalid('if-match'));
    }
    expect(problemOf(await ano.get(url).set('if-none-match', tags))).toEqual(invalid('if-none-match'));
  });

  test.each(['"2"', 'W/"2"', '"1", "2"', '*'])('If-None-Match: %s returns 304 for the current version', async (tags) => {
    const answer = await ano.get(url).set('if-none-match', tags);
    expect([answer.status, answer.text, answer.headers['etag']]).toEqual([304, '', '"2"']);
    expect((await ano.get(url).set('if-none-match', '"1"')).status).toBe(200);
  });

  test.each(['"2"', 'W/"2"', '*'])('If-None-Match: %s prevents a write', async (tags) => {
    for (const attempt of [ano.patch(url).send({ pip: 'x' }), ano.patch(url).send({}), ano.delete(url)]) {
      expect(problemOf(await attempt.set('if-none-match', tags))).toEqual(refusal(412, 'precondition-failed'));
    }
    expect((await ano.patch(url).set('if-none-match', '"1"').send({ pip: 'x' })).headers['etag']).toBe('"3"');
    expect((await ano.delete(url).set('if-none-match', '"2"')).status).toBe(204);
  });

  test('creating and deleting nodes does not change the version of their relation', async () => {
    const { relation_id } = relation;
    const { node_id } = await create(ano, { relation_id });
    await create(ano, { relation_id }, 'prenodes');
    const read = await ano.get(url);
    expect([read.headers['etag'], read.body]).toEqual(['"2"', expect.objectContaining({ prenodes: 1, nodes: 1 })]);
    expect((await ano.get(url).set('if-none-match', '"2"')).status).toBe(304);
    await ano.delete(`${NODES}${node_id}`).expect(204);
    expect((await ano.patch(url).set('if-match', '"2"').send({ pip: 'x' })).status).toBe(200);
  });

  test('existence is checked before the tags, and the tags before conflicts', async () => {
    const absent = relationUrl({ relation_id: randomUUID() });
    for (const tags of ['"2"', '*']) {
      expect(problemOf(await ano.patch(absent).set('if-match', tags).send({ pip: 'x' }))).toEqual(refusal(404, 'not-found'));
      expect(problemOf(await ano.delete(absent).set('if-match', tags))).toEqual(refusal(404, 'not-found'));
      expect(problemOf(await ano.get(absent).set('if-none-match', tags))).toEqual(refusal(404, 'not-found'));
    }
    const { name } = await createRelation(ano);
    await create(ano, { relation_id: relation.relation_id });
    expect(problemOf(await ano.patch(url).set('if-match', '"7"').send({ name }))).toEqual(refusal(412, 'precondition-failed'));
    expect(problemOf(await ano.patch(url).set('if-match', '"2"').send({ name }))).toEqual(refusal(409, 'relation-name-taken'));
    expect(problemOf(await ano.delete(url).set('if-match', '"7"'))).toEqual(refusal(412, 'precondition-failed'));
    expect(problemOf(await ano.delete(url).set('if-match', '"2"'))).toEqual(refusal(409, 'relation-in-use'));
    expect(problemOf(await ano.patch(absent).set('if-match', 'x').send({ pip: 1 }))).toEqual(invalid('if-match', '#/pip'));
  });
});

describe('deletion', () => {
  test.each([
    [['nodes'], 'production'],
    [['prenodes'], 'pre-production'],
    [['nodes', 'prenodes'], 'production and in pre-production'],
  ])('returns 409 while the relation has %s, and 204 without a body afterwards', async (targets, where) => {
    const relation = await createRelation(ano);
    const { relation_id } = relation;
    for (const target of targets) await create(ano, { relation_id }, target);
    const refused = await ano.delete(relationUrl(relation));
    expect(problemOf(refused)).toEqual(refusal(409, 'relation-in-use'));
    expect(refused.body.detail).toBe(`The relation ${relation_id} has nodes in ${where}.`);
    expect((await ano.get(relationUrl(relation))).body).toMatchObject(relation);

    // A client that follows the hint can then delete the relation.
    for (const [, path] of (refused.body.hint as string).matchAll(/DELETE (\S+?)(?:,|$)/g)) await ano.delete(path!).expect(204);
    const answer = await ano.delete(relationUrl(relation));
    expect([answer.status, answer.text, answer.headers['content-type']]).toEqual([204, '', undefined]);
    for (const method of ['get', 'delete'] as const) {
      expect(problemOf(await ano[method](relationUrl(relation)))).toEqual(refusal(404, 'not-found'));
    }
    expect(problemOf(await ano.patch(relationUrl(relation)).send({ pip: 'x' }))).toEqual(refusal(404, 'not-found'));
  });

  test("is not affected by another tenant's nodes with the same relation_id", async () => {
    const relation = await createRelation(ano);
    await create(await operator(service, 'ano.other'), { relation_id: relation.relation_id });
    expect((await ano.get(relationUrl(relation))).body).toMatchObject({ prenodes: 0, nodes: 0 });
    await ano.delete(relationUrl(relation)).expect(204);
  });

  test('does not accept a query or an invalid id', async () => {
    const relation = await createRelation(ano);
    expect(problemOf(await ano.delete(relationUrl(relation)).query({ target: 'nodes' }))).toEqual(invalid('target'));
    expect(problemOf(await ano.delete(`${RELATIONS}x`))).toEqual(invalid('relation_id'));
    expect(problemOf(await ano.delete(RELATIONS))).toEqual(refusal(405, 'method-not-allowed'));
    expect((await ano.delete(relationUrl({ relation_id: relation.relation_id.toUpperCase() }))).status).toBe(204);
  });
});

test('with RELATIONS=open a node may name a relation that nobody has created', async () => {
  const { relation_id } = await create(ano);
  expect(problemOf(await ano.get(relationUrl({ relation_id })))).toEqual(refusal(404, 'not-found'));
});

describe('the node counts', () => {
  const EXACT = volume(1_000, MAX_COUNTED);
  /** Adds nodes to a collection of a relation. */
  const fill = (relation_id: string, collection: string, from: number, to: number): Promise<unknown> =>
    sql(
      service.databaseUrl,
      `insert into access_node (node_id, tenant, relation_id, collection, token, latitude, longitude, status)
       select gen_random_uuid(), 'ano.test', $1, $2, 'planned', 48 + n * 1e-6, 16, 'active' from generate_series($3::int, $4::int) n`,
      [relation_id, collection, from, to],
    );

  test('cover both collections, and a merge moves nodes from one to the other', async () => {
    const relation = await createRelation(ano);
    const { relation_id } = relation;
    for (const target of ['nodes', 'prenodes', 'prenodes']) await create(ano, { relation_id }, target);
    expect((await ano.get(relationUrl(relation))).body).toEqual({ ...relation, prenodes: 2, nodes: 1 });
    await ano.put(NODES).query({ relation_id }).expect(200);
    expect((await ano.get(relationUrl(relation))).body).toEqual({ ...relation, prenodes: 0, nodes: 3 });
  });

  test(volume('of few nodes are exact', 'are exact up to 100,000 and estimated above that, but never too small'), async () => {
    const relation = await createRelation(ano);
    const { relation_id } = relation;
    await fill(relation_id, 'prenodes', 1, EXACT);
    await fill(relation_id, 'nodes', 1, 3);
    expect((await ano.get(relationUrl(relation))).body).toEqual({ ...relation, prenodes: EXACT, nodes: 3 });
    if (EXACT < MAX_COUNTED) return;
    await fill(relation_id, 'prenodes', EXACT + 1, EXACT + 10_000);
    await sql(service.databaseUrl, 'analyze access_node');
    const { prenodes, nodes } = (await ano.get(relationUrl(relation))).body;
    expect(nodes).toBe(3);
    expect(prenodes).toBeGreaterThan(EXACT);
    expect(prenodes).toBeLessThan(EXACT * 1.5);
  });
});
