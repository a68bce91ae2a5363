import { connect } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { startTestService, type TestService } from '@fibre/testing';
import { coverageService } from '../src/coverage-service.js';
import { type Client, create, invalid, list, newNode, type Node, NODES, operator, problemOf, refusal } from './access-nodes.js';

let service: TestService;
let ano: Client;
let node: Node;

beforeAll(async () => {
  service = await startTestService(coverageService);
  ano = await operator(service);
  node = await create(ano);
});
afterAll(() => service.close());

const JSON_TYPE = 'application/json';
/** Sends bytes as they are to both operations that take a body; superagent would make JSON of them. */
async function sendBoth(bytes: Buffer | string, headers: Record<string, string> = { 'content-type': JSON_TYPE }) {
  const answers = [];
  for (const [method, path] of [
    ['POST', NODES],
    ['PATCH', `${NODES}${node.node_id}/`],
  ] as const) {
    const request = method === 'POST' ? ano.post(path) : ano.patch(path);
    answers.push(
      await request
        .set(headers)
        .serialize((body) => body as string)
        .send(bytes as string),
    );
  }
  return answers;
}
const refusals = async (...args: Parameters<typeof sendBoth>) => (await sendBoth(...args)).map(problemOf);
const both = <T>(outcome: T): [T, T] => [outcome, outcome];

afterEach(async () => expect(await list(ano, { relation_id: node.relation_id })).toEqual([node]));

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
])('the broken JSON %j is 400', async (body) => {
  expect(await refusals(body)).toEqual(both(refusal(400, 'malformed-request')));
});

test.each(['[]', '[{"token":"planned"}]', '"text"', '1', 'true', 'null', '  []  '])(
  'the body %s, which is no object, is 400',
  async (body) => {
    expect(await refusals(body)).toEqual(both(refusal(400, 'malformed-request')));
  },
);

test('no body is 400, with or without a content type', async () => {
  expect(await refusals('')).toEqual(both(refusal(400, 'malformed-request')));
  expect(await refusals('   ')).toEqual(both(refusal(400, 'malformed-request')));
  expect(problemOf(await ano.post(NODES))).toEqual(refusal(400, 'malformed-request'));
  expect(problemOf(await ano.patch(`${NODES}${node.node_id}`))).toEqual(refusal(400, 'malformed-request'));
});

test.each([
  '',
  'text/plain',
  'text/json',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/jsonp',
  'application/vnd.api+json',
  'json',
  '*/*',
  'application/json, text/plain',
  'application/json; charset=iso-8859-1',
  'application/json; charset=utf-16',
  'application/json;charset=""',
])('the content type "%s" is 415', async (type) => {
  const answers = await sendBoth('{}', { 'content-type': type });
  expect(answers.map(problemOf)).toEqual(both(refusal(415, 'unsupported-media-type')));
  expect(answers[0]!.body.hint).toContain('application/json');
});

test('a body without a content type is 415', async () => {
  const { status } = await fetch(`${service.url}${NODES}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${await service.issuer.token({ scope: 'coverage:write' })}` },
    body: Buffer.from('{}'),
  });
  expect(status).toBe(415);
});

test.each([
  'application/json',
  'Application/JSON',
  'application/json; charset=utf-8',
  'application/json;charset="UTF-8"',
  'application/json; profile=x',
])('the content type %s is taken', async (type) => {
  const answer = await ano.post(NODES).set('content-type', type).send(JSON.stringify(newNode()));
  expect(answer.status).toBe(201);
});

test('compressed bodies are taken, broken ones are 400, and other encodings 415', async () => {
  const text = JSON.stringify({ customer_reference: null });
  const encodings = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync };
  for (const [encoding, compress] of Object.entries(encodings)) {
    const headers = { 'content-type': JSON_TYPE, 'content-encoding': encoding };
    const [posted] = await sendBoth(compress(JSON.stringify(newNode())), headers);
    expect([encoding, posted!.status]).toEqual([encoding, 201]);
    for (const broken of [text, compress(text).subarray(0, -5)])
      expect([encoding, await refusals(broken, headers)]).toEqual([encoding, both(refusal(400, 'malformed-request'))]);
  }
  await ano.patch(`${NODES}${node.node_id}`).send({ token: 'planned' });
  node = (await ano.get(`${NODES}${node.node_id}`)).body as Node;
  expect(await refusals(text, { 'content-type': JSON_TYPE, 'content-encoding': 'zip' })).toEqual(
    both(refusal(415, 'unsupported-media-type')),
  );
});

test('bytes that are not UTF-8 are 400', async () => {
  for (const bytes of [[0xff], [0xc3], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80]]) {
    const body = Buffer.concat([Buffer.from('{"technology":"'), Buffer.from(bytes), Buffer.from('"}')]);
    expect(await refusals(body)).toEqual(both(refusal(400, 'malformed-request')));
  }
  expect(await refusals(Buffer.from('\ufeff{', 'utf16le'))).toEqual(both(refusal(400, 'malformed-request')));
});

test('a NUL or half a character in any string is 422 and names the member', async () => {
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

test('members that mean something to JavaScript are refused like any other, at every depth', async () => {
  for (const name of ['__proto__', 'constructor', 'prototype', 'toString', 'valueOf', 'hasOwnProperty', 'then', 'toJSON', 'length']) {
    expect([name, await refusals(`{"${name}":{"token":"operation"}}`)]).toMatchObject([name, [{ status: 422 }, invalid(`#/${name}`)]]);
    for (const value of ['1', '{"name":"Array"}', 'null', '[]', '"Object"']) {
      const answer = await ano.patch(`${NODES}${node.node_id}`).type(JSON_TYPE).send(`{"technology":{"${name}":${value}}}`);
      expect([name, value, problemOf(answer)]).toEqual([name, value, invalid('#/technology')]);
    }
  }
  expect(({} as Record<string, unknown>)['token']).toBeUndefined();
});

test('JSON may be as wide and as long as it likes and is only refused, in few words', async () => {
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
  ['two members of a name', '{"technology":"ftth","technology":"dsl"}'],
  ['two members of a name, one in escapes', '{"technology":"ftth","tec\\u0068nology":"dsl"}'],
  ['two members of a name, deep inside', '{"technology":[{"a":{"b":1,"b":1}}]}'],
])('%s are 400', async (_what, body) => {
  expect(await refusals(body)).toEqual(both(refusal(400, 'malformed-request')));
});

test('a body over a mebibyte is 413, by its length, in chunks, or once inflated', async () => {
  const tooMuch = `{"technology":"${'x'.repeat(10 * 1_048_576)}"}`;
  for (const headers of [{}, { 'content-encoding': 'gzip' }]) {
    const body = 'content-encoding' in headers ? gzipSync(tooMuch) : tooMuch;
    const answers = await sendBoth(body, { 'content-type': JSON_TYPE, ...(headers as Record<string, string>) });
    expect(answers.map(problemOf)).toEqual(both(refusal(413, 'payload-too-large')));
  }
  const exact = JSON.stringify(newNode());
  expect(
    (
      await ano
        .post(NODES)
        .type(JSON_TYPE)
        .send(exact + ' '.repeat(1_048_576 - exact.length))
    ).status,
  ).toBe(201);
  expect(
    problemOf(
      await ano
        .post(NODES)
        .type(JSON_TYPE)
        .send(exact + ' '.repeat(1_048_577 - exact.length)),
    ),
  ).toEqual(refusal(413, 'payload-too-large'));
});

test('a client that goes away in the middle of its body leaves no trace', async () => {
  const token = await service.issuer.token({ scope: 'coverage:write' });
  const relation_id = node.relation_id;
  const body = JSON.stringify(newNode({ relation_id }));
  const { hostname, port } = new URL(service.url);
  const heads = [`Content-Length: ${body.length}`, 'Transfer-Encoding: chunked'];
  await Promise.all(
    Array.from({ length: 20 }, async (_, index) => {
      const socket = connect(Number(port), hostname);
      socket.on('error', () => undefined);
      const head = `POST ${NODES} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\n${heads[index % 2]}\r\n\r\n`;
      const part = index % 2 ? `${body.length.toString(16)}\r\n${body.slice(0, -1)}` : body.slice(0, -1);
      await new Promise((sent) => socket.write(head + part, sent));
      await new Promise<void>((closed) => (socket.on('close', () => closed()), index % 3 ? socket.destroy() : socket.resetAndDestroy()));
    }),
  );
  expect((await service.anonymous().get('/health/ready')).status).toBe(200);
  expect(await list(ano, { relation_id })).toHaveLength(1);
});
