import { randomUUID } from 'node:crypto';
import { startTestService, type TestService } from '@fibre/testing';
import { coverageService } from '../../src/coverage-service.js';
import { type Client, create, idsOf, invalid, type Node, NODES, operator, problemOf } from '../access-nodes/access-nodes.js';
import { linksOf, walk } from './pages.js';

const relation_id = randomUUID();
let service: TestService;
let ano: Client;
/** Another tenant, for records that change while they are listed. */
let scratch: Client;
let nodes: Node[];

beforeAll(async () => {
  service = await startTestService(coverageService);
  ano = await operator(service);
  scratch = await operator(service, 'ano.scratch');
  nodes = [
    await create(ano, { relation_id, token: 'planned' }),
    await create(ano, { relation_id, token: 'operation' }),
    await create(ano, { relation_id, token: 'planned' }),
    await create(ano, { token: 'operation' }),
  ];
  // In the other collection, so not on any page.
  await create(ano, { relation_id }, 'prenodes');
});
afterAll(() => service.close());

test('the page size is 1 to 2,000, by default 500', async () => {
  expect((await ano.get(NODES)).headers['x-page-size']).toBe('500');
  for (const size of [1, 2_000]) expect((await ano.get(NODES).query({ _page_size: size })).headers['x-page-size']).toBe(String(size));
  for (const size of ['0', '2001', '-1', '1.5', '1e2', 'ten', '', ' 1', '0x10', '99999999999999999999']) {
    expect([size, problemOf(await ano.get(NODES).query({ _page_size: size }))]).toEqual([size, invalid('_page_size')]);
  }
});

test('the count is the number of pages in the listing, and is 0 for an empty listing', async () => {
  for (const [size, count] of [
    [1, 4],
    [2, 2],
    [3, 2],
    [4, 1],
    [5, 1],
  ]) {
    const answer = await ano.get(NODES).query({ _page_size: size });
    expect([size, answer.headers['x-page-count'], answer.body.length]).toEqual([size, String(count), Math.min(size!, 4)]);
  }
  const empty = await ano.get(NODES).query({ relation_id: randomUUID() });
  expect([empty.status, empty.body, empty.headers['x-page-count'], linksOf(empty).next]).toEqual([200, [], '0', undefined]);
});

test('a walk with any page size returns every node once, and each page repeats the count of the first', async () => {
  for (const size of [1, 2, 3, 4]) {
    const counts: string[] = [];
    const walked = await walk(ano, `${NODES}?_page_size=${size}`, (_page, answer) => void counts.push(answer.headers['x-page-count']!));
    expect(idsOf(walked)).toEqual(idsOf(nodes));
    expect(new Set(counts)).toEqual(new Set([String(Math.ceil(4 / size))]));
  }
});

test('every page has the count of the first page, even if a record is deleted in the meantime', async () => {
  const relation = randomUUID();
  const mine: Node[] = [];
  for (let n = 0; n < 4; n++) mine.push(await create(scratch, { relation_id: relation }));
  const walked = await walk(scratch, `${NODES}?relation_id=${relation}&_page_size=2`, async (_page, answer) => {
    expect(answer.headers['x-page-count']).toBe('2');
    await scratch.delete(`${NODES}${mine[0]!.node_id}`);
  });
  expect(idsOf(walked)).toEqual(idsOf(mine));
});

test('a cursor survives the deletion of its record and a change of the page size', async () => {
  const relation = randomUUID();
  const mine: Node[] = [];
  for (let n = 0; n < 5; n++) mine.push(await create(scratch, { relation_id: relation }));
  const { next } = linksOf(await scratch.get(NODES).query({ relation_id: relation, _page_size: 2 }));
  for (const node of mine.slice(2, 4)) await scratch.delete(`${NODES}${node.node_id}`);
  next!.searchParams.set('_page_size', '3');
  const page = await scratch.get(`${next!.pathname}${next!.search}`);
  expect(idsOf(page.body as Node[])).toEqual([mine[4]!.node_id]);
  expect(page.headers['x-page-size']).toBe('3');
  await scratch.delete(`${NODES}${mine[4]!.node_id}`);
  const past = await scratch.get(`${next!.pathname}${next!.search}`);
  expect([past.status, past.body, linksOf(past).next]).toEqual([200, [], undefined]);
});

test('a cursor only works in its own listing', async () => {
  const { next } = linksOf(await ano.get(NODES).query({ relation_id, token: 'planned', _page_size: 1 }));
  const cursor = next!.searchParams.get('_page_cursor')!;
  const own = { relation_id, token: 'planned', _page_cursor: cursor };
  expect((await ano.get(NODES).query({ token: 'planned', _page_cursor: cursor, relation_id: relation_id.toUpperCase() })).status).toBe(200);
  for (const other of [
    { _page_cursor: cursor },
    { ...own, token: 'operation' },
    { ...own, status: 'active' },
    { ...own, target: 'prenodes' },
  ]) {
    const answer = await ano.get(NODES).query(other);
    expect([other, problemOf(answer), answer.body.hint]).toEqual([other, invalid('_page_cursor'), 'Start again without a cursor.']);
  }
  const stranger = await operator(service, 'ano.other');
  expect(problemOf(await stranger.get(NODES).query(own))).toEqual(invalid('_page_cursor'));
  const bent = [
    cursor.slice(1),
    `${cursor}A`,
    `${cursor}=`,
    `${cursor.slice(0, -1)}+`,
    cursor.toUpperCase(),
    randomUUID(),
    '',
    ' ',
    'null',
    '%00',
  ];
  for (const _page_cursor of bent)
    expect([_page_cursor, problemOf(await ano.get(NODES).query({ ...own, _page_cursor }))]).toEqual([
      _page_cursor,
      invalid('_page_cursor'),
    ]);
});
