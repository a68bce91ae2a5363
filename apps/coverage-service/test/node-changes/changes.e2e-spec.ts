import { randomUUID } from 'node:crypto';
import { type FeedItem, Follower, nextOf, startTestService, type TestService } from '@fibre/testing';
import { volume } from '@fibre/testing/volume';
import { coverageService } from '../../src/coverage-service.js';
import { earthCentred, groundMetres } from '../../src/geography/geodesy.js';
import { ChangesCleanUp } from '../../src/node-changes/changes-clean-up.js';
import { FORGOTTEN_AT_ONCE } from '../../src/node-changes/node-changes.sql.js';
import {
  type Client,
  create,
  idsOf,
  invalid,
  list,
  NODES,
  operator,
  problemOf,
  publicOf,
  refusal,
  SEARCH,
} from '../access-nodes/access-nodes.js';
import { importFile } from '../node-import/imports.js';
import { linksOf } from '../pages/pages.js';
import { sql } from '../database/sql.js';

const [CHANGES, SEARCH_CHANGES] = [`${NODES}changes/`, `${SEARCH}changes/`];
const NODES_COPIED = volume(400, 2_000);
const PLACES = NODES_COPIED / 10;
let service: TestService;
let ano: Client;

beforeAll(async () => {
  service = await startTestService(coverageService);
});
beforeEach(async () => {
  ano = await operator(service, `ano.t${randomUUID()}`);
});
afterAll(() => service.close());

const follow = (query = '', client = ano, path = CHANGES) => new Follower(client, `${path}${query}`);
const shown = (items: readonly FeedItem[]) => items.map(({ change, node }) => [change, node!['node_id']]);
const merge = (relation_id: string) => ano.put(NODES).query({ relation_id }).expect(200);

test('a walk shows all production nodes in order of last change, and then each change: create, update, merge, import, delete', async () => {
  const relation_id = randomUUID();
  const [one, two, gone] = [await create(ano), await create(ano, { relation_id, customer_reference: 'two' }), await create(ano)];
  const draft = await create(ano, { relation_id }, 'prenodes');
  await ano.delete(`${NODES}${gone.node_id}`).expect(204);
  await ano
    .delete(NODES)
    .query({ relation_id: (await create(ano)).relation_id })
    .expect(204);
  await ano.patch(`${NODES}${one.node_id}`).send({ status: 'suspended' }).expect(200);

  // This waits until the deletion is settled.
  await follow().catchUp();

  const follower = follow('?_page_size=1');
  const first = await follower.catchUp();
  // The feed omits earlier deletions, single or in bulk, and pre-production nodes.
  expect(shown(first)).toEqual([two, one].map(({ node_id }) => ['upserted', node_id]));
  expect(first.map(({ node }) => node)).toEqual([two, (await ano.get(`${NODES}${one.node_id}`)).body]);
  expect(follower.page!.body).toEqual([]);

  const replacing = await create(ano, { relation_id, customer_reference: 'two', token: 'operation' }, 'prenodes');
  await ano.patch(`${NODES}${draft.node_id}`).send({ status: 'started' }).expect(200);
  await ano.delete(`${NODES}${(await create(ano, { relation_id }, 'prenodes')).node_id}`).expect(204);
  expect(await follower.catchUp()).toEqual([]);

  await merge(relation_id);
  const merged = await follower.catchUp();
  expect(shown(merged).sort()).toEqual([draft, two].map(({ node_id }) => ['upserted', node_id]).sort());
  expect(merged.map(({ node }) => node!['modified_at'])).not.toContain(replacing.modified_at);

  await importFile(
    ano,
    `relation_id,token,latitude,longitude,customer_reference\n${relation_id},planned,48,16,two\n${relation_id},planned,48,16,three`,
  );
  expect(shown(await follower.catchUp()).map(([change]) => change)).toEqual(['upserted', 'upserted']);
  expect([...follower.copy.values()].sort(byId)).toEqual((await list(ano, {})).sort(byId));

  const last = await create(ano, { relation_id });
  await ano.delete(`${NODES}${last.node_id}`).expect(204);
  await ano.delete(NODES).query({ relation_id }).expect(204);
  const deleted = await follower.catchUp();
  expect(deleted).toHaveLength(4);
  expect(deleted[0]).toEqual({ change: 'deleted', changed_at: expect.any(String), node: { node_id: last.node_id, relation_id } });
  expect([...follower.copy.keys()]).toEqual([one.node_id]);
});

const byId = (a: Record<string, unknown>, b: Record<string, unknown>): number => ((a.node_id as string) < (b.node_id as string) ? -1 : 1);

test("a tenant's feed has its own nodes, and the search's feed has all nodes without private fields", async () => {
  const isp = await service.as({ tenant: null, scope: 'coverage:search' });
  const search = follow('', isp, SEARCH_CHANGES);
  await search.catchUp();
  const other = await operator(service, 'ano.other');
  const relation_id = randomUUID();
  const [mine, theirs] = [await create(ano, { relation_id, customer_reference: 'mine' }), await create(other, { relation_id })];
  expect(mine['customer_reference']).toBe('mine');
  expect((await search.catchUp()).map(({ node }) => node)).toEqual([mine, theirs].map(publicOf));
  expect((await follow().catchUp()).map(({ node }) => node)).toEqual([mine]);

  await create(ano);
  expect(shown(await follow(`?relation_id=${relation_id}`).catchUp())).toEqual([['upserted', mine.node_id]]);
  const ofRelation = follow(`?relation_id=${relation_id.toUpperCase()}`, isp, SEARCH_CHANGES);
  expect(shown(await ofRelation.catchUp())).toEqual([mine, theirs].map(({ node_id }) => ['upserted', node_id]));
  await ano.delete(NODES).query({ relation_id }).expect(204);
  await other.delete(NODES).query({ relation_id }).expect(204);
  expect(await ofRelation.catchUp()).toHaveLength(2);
  expect(ofRelation.copy.size).toBe(0);
});

test('a page states the time up to which it is complete, and always has a next link with the filters', async () => {
  const relation_id = randomUUID();
  await create(ano, { relation_id });
  const early = await ano.get(CHANGES).query({ relation_id });
  expect(early.headers).toMatchObject({ 'x-page-size': '500', 'x-settled-until': expect.stringMatching(/\.\d{3}\+00:00$/) });
  expect(early.headers).not.toHaveProperty('x-page-count');
  const { self, next } = linksOf(early);
  expect([self.search, next!.searchParams.get('relation_id')]).toEqual([`?relation_id=${relation_id}&_page_size=500`, relation_id]);
  expect(next!.pathname).toBe(CHANGES);
  for (const path of [CHANGES, CHANGES.slice(0, -1)]) expect((await ano.get(path)).status).toBe(200);
  const settled = Date.parse(early.headers['x-settled-until'] as string);
  expect(Date.now() - settled).toBeGreaterThanOrEqual(1_000);

  const cursor = next!.searchParams.get('_page_cursor')!;
  for (const [client, path, query] of [
    [ano, CHANGES, { _page_cursor: cursor }],
    [ano, SEARCH_CHANGES, { _page_cursor: cursor, relation_id }],
    [await operator(service, 'ano.other'), CHANGES, { _page_cursor: cursor, relation_id }],
    [ano, NODES, { _page_cursor: cursor, relation_id }],
  ] as const)
    expect(problemOf(await client.get(path).query(query))).toEqual(invalid('_page_cursor'));
  // The page size may change, and `since` only applies to the first page.
  await ano.get(CHANGES).query({ _page_cursor: cursor, relation_id, _page_size: 7, since: '2099-01-01T00:00:00Z' }).expect(200);
  expect(problemOf(await ano.get(CHANGES).query({ since: 'yesterday', relation_id: '1', token: 'planned' }))).toEqual(
    invalid('relation_id', 'since', 'token'),
  );
});

test.each(['post', 'put', 'patch', 'delete'] as const)('%s on a change feed gets 405', async (method) => {
  for (const path of [CHANGES, SEARCH_CHANGES.slice(0, -1)]) {
    const answer = await ano[method](path).send({});
    expect([problemOf(answer), answer.headers['allow']]).toEqual([refusal(405, 'method-not-allowed'), 'GET, HEAD']);
  }
});

test('since is an inclusive start, and may be in the future', async () => {
  const [before, node] = [await create(ano), await create(ano)];
  const since = encodeURIComponent(node.modified_at);
  const follower = follow(`?since=${since}`);
  await ano.delete(`${NODES}${before.node_id}`).expect(204);
  expect(shown(await follower.catchUp())).toEqual([
    ['upserted', node.node_id],
    ['deleted', before.node_id],
  ]);
  const soon = new Date(Date.now() + 1_500).toISOString();
  const later = follow(`?since=${soon}`);
  await later.step();
  await create(ano);
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  const last = await create(ano);
  expect(shown(await later.catchUp())).toEqual([['upserted', last.node_id]]);
});

test('nodes that changed in the same millisecond are ordered by id, page by page', async () => {
  const relation_id = randomUUID();
  const rows = Array.from({ length: 25 }, (_, index) => `${relation_id},planned,48,16,ref${index}`);
  const file = `relation_id,token,latitude,longitude,customer_reference\n${rows.join('\n')}`;
  expect((await importFile(ano, file)).status).toBe(200);
  const follower = follow('?_page_size=10');
  const items = await follower.catchUp();
  expect(new Set(items.map(({ changed_at }) => changed_at)).size).toBe(1);
  expect(idsOf(items.map(({ node }) => node as never))).toEqual(idsOf(await list(ano, {})));
});

test('an old node that has changed after newer ones is not skipped where a page ends', async () => {
  const [first, second, third] = [await create(ano), await create(ano), await create(ano)];
  await ano.patch(`${NODES}${first.node_id}`).send({ units: 3 }).expect(200);
  expect(shown(await follow('?_page_size=1').catchUp())).toEqual([second, third, first].map(({ node_id }) => ['upserted', node_id]));
});

test('deletions are removed after a while, and reading changes from further back gets 410', async () => {
  const node = await create(ano);
  const follower = follow();
  await follower.catchUp();
  await ano.delete(`${NODES}${node.node_id}`).expect(204);
  const days = (count: number) => encodeURIComponent(new Date(Date.now() - count * 86_400_000).toISOString());
  const forget = () => service.app.get(ChangesCleanUp).run();
  const ageBy = (interval: string) =>
    sql(service.databaseUrl, `update node_deletion set deleted_at = deleted_at - $1::interval where node_id = $2 returning 1`, [
      interval,
      node.node_id,
    ]);

  await ageBy('29 days 23 hours');
  await forget();
  expect(shown(await follow(`?since=${days(29.99)}`).catchUp())).toEqual([['deleted', node.node_id]]);
  for (const path of [CHANGES, SEARCH_CHANGES])
    expect(problemOf(await ano.get(`${path}?since=${days(30.01)}`))).toEqual(refusal(410, 'changes-gone'));
  expect(problemOf(await ano.get(`${CHANGES}?since=0001-01-01T00:00:00Z`))).toEqual(refusal(410, 'changes-gone'));

  await ageBy('2 hours');
  await forget();
  expect(await ageBy('0')).toEqual([]);
});

test('whoever has followed a feed for longer than deletions are kept, and is up to date, goes on', async () => {
  await create(ano);
  const follower = follow();
  await follower.catchUp();
  // As if the walk had begun 40 days ago; the place that it has reached stays.
  const cursor = Buffer.from(nextOf(follower.page!)!.searchParams.get('_page_cursor')!, 'base64url');
  cursor.writeUIntBE(Date.now() - 40 * 86_400_000, 36, 6);
  await ano
    .get(CHANGES)
    .query({ _page_cursor: cursor.toString('base64url') })
    .expect(200, []);
});

test('one clean-up removes all old deletions, however many there are', async () => {
  const tenant = `ano.t${randomUUID()}`;
  const left = () => sql(service.databaseUrl, 'select 1 from node_deletion where tenant = $1', [tenant]);
  await sql(
    service.databaseUrl,
    `insert into node_deletion (tenant, relation_id, node_id, deleted_at)
     select $1, gen_random_uuid(), gen_random_uuid(), now() - interval '40 days' from generate_series(1, $2::int)`,
    [tenant, 2 * FORGOTTEN_AT_ONCE + 1],
  );
  await service.app.get(ChangesCleanUp).run();
  expect(await left()).toEqual([]);
});

test('a slow walk from the beginning can continue from an old node', async () => {
  const [old, older] = [await create(ano), await create(ano)];
  for (const [node, age] of [
    [old, '400 days'],
    [older, '500 days'],
  ] as const)
    await sql(service.databaseUrl, `update access_node set modified_at = modified_at - $1::interval where node_id = $2`, [
      age,
      node.node_id,
    ]);
  const follower = follow('?_page_size=1');
  expect(shown(await follower.step())).toEqual([['upserted', older.node_id]]);
  await ano.delete(`${NODES}${old.node_id}`).expect(204);
  expect(shown(await follower.catchUp())).toEqual([['deleted', old.node_id]]);
});

test("a copy built from the search's feed gives the same results as the search, even after a merge", async () => {
  const search = follow('?_page_size=2000', await service.as({ tenant: null, scope: 'coverage:search' }), SEARCH_CHANGES);
  const relation_id = randomUUID();
  // In a square of a few kilometres without nodes from other tests.
  const center = () => [47 + Math.random() / 20, 9 + Math.random() / 20].map((degrees) => degrees.toFixed(6));
  const file = (count: number, from: number): string => {
    const rows = Array.from({ length: count }, (_, index) => `${relation_id},operation,${center().join()},ref${from + index}`);
    return ['relation_id,token,latitude,longitude,customer_reference', ...rows].join('\n');
  };
  const copy = async (): Promise<(Record<string, string> & { place: ReturnType<typeof earthCentred> })[]> => {
    await search.catchUp();
    const near = [...search.copy.values()].filter((node) => node['relation_id'] === relation_id);
    return near.map((node) =>
      Object.assign(node, { place: earthCentred(...(node['center']!.split(', ').map(Number) as [number, number])) }),
    );
  };
  for (const [target, from] of [
    ['nodes', 0],
    ['prenodes', NODES_COPIED / 2],
  ] as const) {
    expect((await importFile(ano, file(NODES_COPIED, from), { query: { target } })).status).toBe(200);
    if (target === 'prenodes') expect((await merge(relation_id)).body.action).toHaveLength(2);
    const nodes = await copy();
    expect(nodes).toHaveLength(target === 'nodes' ? NODES_COPIED : 1.5 * NODES_COPIED);
    for (let place = 0; place < PLACES; place++) {
      const [latitude, longitude] = center();
      const origin = earthCentred(Number(latitude), Number(longitude));
      const nearest = nodes
        .map(({ place, ...node }) => ({ node, distance: groundMetres(origin, place) }))
        .filter(({ distance }) => distance <= 500)
        .sort((a, b) => a.distance - b.distance)
        .slice(0, 5);
      const { body } = await ano.get(SEARCH).query({ center: `${latitude}, ${longitude}`, search_radius: 500 });
      const found = (body as Record<string, unknown>[]).map(({ quality: _quality, distance: _distance, offer: _offer, ...node }) => node);
      expect(found).toEqual(nearest.map(({ node }) => node));
    }
  }
});
