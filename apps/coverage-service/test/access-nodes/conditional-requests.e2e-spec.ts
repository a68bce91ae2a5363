import { randomUUID } from 'node:crypto';
import { Follower, startTestService, type TestService } from '@fibre/testing';
import { coverageService } from '../../src/coverage-service.js';
import { type Client, create, invalid, NODES, operator, problemOf, refusal } from './access-nodes.js';

let service: TestService;
let ano: Client;
let url: string;

beforeAll(async () => {
  service = await startTestService(coverageService);
  ano = await operator(service);
});
beforeEach(async () => {
  // Version 2, so that the tests would fail if the tag were constant.
  url = `${NODES}${(await create(ano)).node_id}/`;
  await ano.patch(url).send({ token: 'construction' });
});
afterAll(() => service.close());

const CURRENT = ['"2"', ' "2" ', '"1", "2"', '"2","3"', ',"2",', 'W/"2", "2"', '"a,b", "2"', '"", "2"', '*', ' * '];
const OTHER = ['"1"', 'W/"2"', '"3", "1"', '""', '"02"', '"2!"', '"a,b"', '"9999999999"', '"-2"'];
const MALFORMED = ['2', '"2', '2"', '"2" "3"', '*, "2"', '"2", *', 'w/"2"', 'W/2', '', ',', '" "', 'undefined'];

test('reads and writes return the version, a number that grows with each change', async () => {
  const tags = [
    (await ano.get(url)).headers['etag'],
    (await ano.patch(url).send({ token: 'operation' })).headers['etag'],
    (await ano.get(url)).headers['etag'],
  ];
  expect(tags).toEqual(['"2"', '"3"', '"3"']);
  expect((await ano.get(NODES)).headers['etag']).toBeUndefined();
});

test.each(CURRENT)('If-Match: %s allows a write to the current version', async (tags) => {
  expect((await ano.patch(url).set('if-match', tags).send({})).status).toBe(200);
  const answer = await ano.patch(url).set('if-match', tags).send({ technology: 'ftth' });
  expect([answer.status, answer.headers['etag']]).toEqual([200, '"3"']);
  expect((await ano.delete(url).set('if-match', tags.replaceAll('2', '3'))).status).toBe(204);
});

test.each(OTHER)('If-Match: %s prevents a write', async (tags) => {
  const before = await ano.get(url);
  for (const attempt of [ano.patch(url).send({ token: 'operation' }), ano.patch(url).send({}), ano.delete(url)]) {
    expect(problemOf(await attempt.set('if-match', tags))).toEqual(refusal(412, 'precondition-failed'));
  }
  expect((await ano.get(url)).body).toEqual(before.body);
});

test.each(MALFORMED)('the malformed tags %s are rejected', async (tags) => {
  for (const attempt of [ano.patch(url).send({ token: 'operation' }), ano.delete(url)]) {
    expect(problemOf(await attempt.set({ 'if-match': tags, 'if-none-match': tags }))).toEqual(invalid('if-match', 'if-none-match'));
  }
  expect(problemOf(await ano.get(url).set('if-none-match', tags))).toEqual(invalid('if-none-match'));
});

test.each(['"2"', 'W/"2"', '"1", "2"', '*'])('If-None-Match: %s returns 304 for the current version', async (tags) => {
  const answer = await ano.get(url).set('if-none-match', tags);
  expect([answer.status, answer.text, answer.headers['etag']]).toEqual([304, '', '"2"']);
  expect((await ano.head(url).set('if-none-match', tags)).status).toBe(304);
});

test.each(['"2"', 'W/"2"', '"1", "2"', '*'])('If-None-Match: %s prevents a write', async (tags) => {
  const before = await ano.get(url);
  for (const attempt of [ano.patch(url).send({ token: 'operation' }), ano.patch(url).send({}), ano.delete(url)]) {
    const refused = await attempt.set('if-none-match', tags);
    expect(problemOf(refused)).toEqual(refusal(412, 'precondition-failed'));
    expect(refused.body.detail).toContain('If-None-Match');
  }
  expect((await ano.get(url)).body).toEqual(before.body);
});

test.each(['"1"', 'W/"1"', '"3", "a,b"', '"2W/"'])('If-None-Match: %s allows a write', async (tags) => {
  expect((await ano.patch(url).set('if-none-match', tags).send({})).status).toBe(200);
  expect((await ano.patch(url).set({ 'if-none-match': tags, 'if-match': '"2"' }).send({ technology: 'ftth' })).status).toBe(200);
  expect((await ano.delete(url).set('if-none-match', tags.replace('3', '4'))).status).toBe(204);
});

test.each(['"1"', 'W/"1"', '"3", "a,b"', '""'])('If-None-Match: %s returns the node', async (tags) => {
  const answer = await ano.get(url).set('if-none-match', tags);
  expect([answer.status, answer.body.token]).toEqual([200, 'construction']);
});

test('a missing node gets 404 whatever the tags, and a reference conflict is checked after the tags', async () => {
  const absent = `${NODES}${randomUUID()}`;
  for (const tags of ['"1"', '*']) {
    expect(problemOf(await ano.patch(absent).set('if-match', tags).send({ token: 'planned' }))).toEqual(refusal(404, 'not-found'));
    expect(problemOf(await ano.delete(absent).set('if-match', tags))).toEqual(refusal(404, 'not-found'));
    expect(problemOf(await ano.get(absent).set('if-none-match', tags))).toEqual(refusal(404, 'not-found'));
  }
  const taken = await create(ano, { customer_reference: 'taken' });
  const other = await create(ano, { relation_id: taken.relation_id });
  const change = () => ano.patch(`${NODES}${other.node_id}`).send({ customer_reference: 'taken' });
  expect(problemOf(await change().set('if-match', '"7"'))).toEqual(refusal(412, 'precondition-failed'));
  expect(problemOf(await change().set('if-match', '"1"'))).toEqual(refusal(409, 'customer-reference-taken'));
  expect(problemOf(await ano.patch(absent).set('if-match', 'x').send({ token: 'x' }))).toEqual(invalid('if-match', '#/token'));
});

test('exactly one of several concurrent changes with the same If-Match wins', async () => {
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, index) =>
      ano
        .patch(url)
        .set('if-match', '"2"')
        .send({ lot_id: `lot ${index}` }),
    ),
  );
  const winners = answers.filter(({ status }) => status === 200);
  expect(winners).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 412)).toHaveLength(29);
  expect((await ano.get(url)).body).toEqual(winners[0]!.body);
});

test.each([
  ['equal values', { token: 'construction', technology: 'ftth', units: 4, available_from: '2027-01-01', lot_id: null }],
  ['an equal center', { center: '48.208555, 16.372966' }],
  ['the default status', { status: null }],
])('a patch with %s changes nothing, and is judged by its conditions', async (_what, equal) => {
  await ano.patch(url).send({ technology: 'ftth', units: 4, available_from: '2027-01-01' });
  const before = await ano.get(url);
  const follower = new Follower(ano, `${NODES}changes/`);
  await follower.catchUp();
  for (const conditions of [{}, { 'if-match': '"3"' }, { 'if-none-match': '"2"' }]) {
    const answer = await ano.patch(url).set(conditions).send(equal);
    expect([answer.status, answer.headers['etag'], answer.body]).toEqual([200, '"3"', before.body]);
  }
  expect(problemOf(await ano.patch(url).set('if-match', '"2"').send(equal))).toEqual(refusal(412, 'precondition-failed'));
  expect((await ano.get(url)).body).toEqual(before.body);
  expect(await follower.catchUp()).toEqual([]);
});
