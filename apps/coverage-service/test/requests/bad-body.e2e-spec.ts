import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { TestService } from '@fibre/testing';
import { type Client, list, newNode, type Node, NODES, problemOf, refusal } from '../access-nodes/access-nodes.js';
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

test('a missing body gets 400, with or without a content type', async () => {
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
])('the content type "%s" gets 415', async (type) => {
  const answers = await sendBoth('{}', { 'content-type': type });
  expect(answers.map(problemOf)).toEqual(both(refusal(415, 'unsupported-media-type')));
  expect(answers[0]!.body.hint).toContain('application/json');
});

test('a body without a content type gets 415', async () => {
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
])('the content type %s is accepted', async (type) => {
  const answer = await ano.post(NODES).set('content-type', type).send(JSON.stringify(newNode()));
  expect(answer.status).toBe(201);
});

test('a compressed body gets 415: only files may be compressed', async () => {
  const headers = { 'content-type': JSON_TYPE, 'content-encoding': 'gzip' };
  expect(await refusals(gzipSync(JSON.stringify(newNode())), headers)).toEqual(both(refusal(415, 'unsupported-media-type')));
});

test('a body over a mebibyte gets 413', async () => {
  const answers = await sendBoth(`{"technology":"${'x'.repeat(10 * 1_048_576)}"}`, { 'content-type': JSON_TYPE });
  expect(answers.map(problemOf)).toEqual(both(refusal(413, 'payload-too-large')));
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

test('a client that disconnects in the middle of its body leaves no trace', async () => {
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
