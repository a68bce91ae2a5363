import type { TestService } from '@fibre/testing';
import { type Client, invalid, list, newNode, type Node, NODES, problemOf, refusal } from '../access-nodes/access-nodes.js';
import { type Bodies, both, JSON_TYPE, startForBodies } from './bodies.js';

let service: TestService;
let ano: Client;
let node: Node;
let sendBoth: Bodies['sendBoth'];
let refusals: Bodies['refusals'];

beforeAll(async () => {
  ({ service, ano, node, sendBoth, refusals } = await startForBodies());
});
afterEach(async () => expect(await list(ano, { relation_id: node.relation_id })).toEqual([node]));
afterAll(() => service.close());

test.each([
  '{',
  '{"token":}',
  "{'token':1}",
  '{"token":"planned",}',
  '{"a":1}{"b":2}',
  'nonsense',
  '{"token":"\n"}',
  '{"a":NaN}',
  '{"a":01}',
  '// x\n{}',
  '{"a":"\\x"}',
  '\u0000',
  'undefined',
])('the broken JSON %j gets 400', async (body) => {
  expect(await refusals(body)).toEqual(both(refusal(400, 'malformed-request')));
});

test.each(['[]', '[{"token":"planned"}]', '"text"', '1', 'true', 'null', '  []  '])(
  'the body %s, which is not an object, gets 400',
  async (body) => {
    expect(await refusals(body)).toEqual(both(refusal(400, 'malformed-request')));
  },
);

test('bytes that are not UTF-8 get 400', async () => {
  for (const bytes of [[0xff], [0xc3], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80]]) {
    const body = Buffer.concat([Buffer.from('{"technology":"'), Buffer.from(bytes), Buffer.from('"}')]);
    expect(await refusals(body)).toEqual(both(refusal(400, 'malformed-request')));
  }
  expect(await refusals(Buffer.from('\ufeff{', 'utf16le'))).toEqual(both(refusal(400, 'malformed-request')));
});

test('a NUL or an unpaired surrogate in any string gets a 422 that names the member', async () => {
  for (const name of ['relation_id', 'token', 'center', 'technology', 'status', 'customer_reference', 'country', 'address_id', 'lot_id']) {
    for (const bad of ['\\u0000', 'a\\u0000b', '\\ud800', 'a\\udfffb', '\\udc00\\ud800']) {
      const body = `${JSON.stringify({ ...newNode(), [name]: undefined }).slice(0, -1)},"${name}":"${bad}"}`;
      expect([name, bad, problemOf(await ano.post(NODES).type(JSON_TYPE).send(body))]).toEqual([name, bad, invalid(`#/${name}`)]);
    }
  }
  expect(
    problemOf(
      await ano
        .post(NODES)
        .type(JSON_TYPE)
        .send(`${JSON.stringify(newNode()).slice(0, -1)},"\\ud800\\u0000":1}`),
    ).status,
  ).toBe(422);
});

test('names with a meaning in JavaScript are rejected like any other name, at every depth', async () => {
  for (const name of ['__proto__', 'constructor', 'prototype', 'toString', 'valueOf', 'hasOwnProperty', 'then', 'toJSON', 'length']) {
    expect([name, await refusals(`{"${name}":{"token":"operation"}}`)]).toMatchObject([name, [{ status: 422 }, invalid(`#/${name}`)]]);
    for (const value of ['1', '{"name":"Array"}', 'null', '[]', '"Object"']) {
      const answer = await ano.patch(`${NODES}${node.node_id}`).type(JSON_TYPE).send(`{"technology":{"${name}":${value}}}`);
      expect([name, value, problemOf(answer)]).toEqual([name, value, invalid('#/technology')]);
    }
  }
  expect(({} as Record<string, unknown>)['token']).toBeUndefined();
});

test('very wide or long JSON is rejected with a short message', async () => {
  const bodies = [
    `{${Array.from({ length: 90_000 }, (_, index) => `"${index}":0`).join(',')}}`,
    `{"${'x'.repeat(1_000_000)}":0}`,
    `{"technology":"${'x'.repeat(1_000_000)}"}`,
    `{"technology":${'9'.repeat(1_000_000)}}`,
    `{"technology":0.1${'0'.repeat(1_000_000)}1}`,
    '{"technology":1e999,"lot_id":-1e-999}',
  ];
  for (const body of bodies) {
    const answers = await sendBoth(body);
    expect(answers.map(({ status }) => status)).toEqual([422, 422]);
    expect(answers[0]!.text.length).toBeLessThan(65_536);
  }
});

test.each([
  ['arrays in arrays', `{"technology":${'['.repeat(400_000)}${']'.repeat(400_000)}}`],
  ['objects in objects', `{"technology":${'{"a":'.repeat(150_000)}1${'}'.repeat(150_000)}}`],
  ['33 levels', `{"technology":${'['.repeat(32)}${']'.repeat(32)}}`],
  ['two members with the same name', '{"technology":"ftth","technology":"dsl"}'],
  ['two members with the same name, one escaped', '{"technology":"ftth","tec\\u0068nology":"dsl"}'],
  ['two members with the same name, deeply nested', '{"technology":[{"a":{"b":1,"b":1}}]}'],
])('%s get 400', async (_what, body) => {
  expect(await refusals(body)).toEqual(both(refusal(400, 'malformed-request')));
});
