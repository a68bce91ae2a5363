import { connect } from 'node:net';
import { startTestService, type TestService, until } from '@fibre/testing';
import { coverageService } from '../../src/coverage-service.js';
import { ALL_SCOPES, NODES, SEARCH } from '../access-nodes/access-nodes.js';

let service: TestService;
let authorization: string;

beforeAll(async () => {
  service = await startTestService(coverageService, { IMPORT_MAX_BYTES: '2000000' });
  authorization = `Bearer ${await service.issuer.token({ scope: ALL_SCOPES })}`;
});
afterAll(() => service.close());

const CSV = { 'content-type': 'text/csv' };
const JSON_TYPE = { 'content-type': 'application/json' };
const ROWS = 'not a node\n'.repeat(200_000);
const NEXT = 'GET /health/live HTTP/1.1\r\nhost: test\r\n\r\n';

/** Sends a request with its whole body, then another one on the same connection. @returns everything received until the second response */
async function answersTo(line: string, headers: Record<string, string>, body: string): Promise<string> {
  const { hostname, port } = new URL(service.url);
  const socket = connect(Number(port), hostname).on('error', () => undefined);
  let text = '';
  let isClosed = false;
  socket.on('data', (chunk: Buffer) => (text += chunk.toString())).on('close', () => (isClosed = true));
  const head = Object.entries({ host: 'test', 'content-length': Buffer.byteLength(body), ...headers }).map((header) => header.join(': '));
  socket.write([`${line} HTTP/1.1`, ...head, '', body].join('\r\n'));
  await until('the first response', () => text.includes('\r\n\r\n') || isClosed);
  socket.write(NEXT);
  await until('the second response, or the end', () => text.includes('"status":"ok"') || isClosed);
  socket.destroy();
  return text;
}

test.each<[string, string, Record<string, string>, string, number]>([
  ['a file search without a center', `POST ${SEARCH}`, CSV, `x,y\n${'1,2\n'.repeat(75_000)}`, 422],
  ['an import with unknown columns', `POST ${NODES}import`, CSV, `x,y\n${'1,2\n'.repeat(75_000)}`, 422],
  ['a line of 3 MB', `POST ${SEARCH}`, CSV, `center\n${'x'.repeat(1_900_000)}`, 400],
  [
    'too many faulty rows',
    `POST ${NODES}import?mode=lax&relation_id=01902d3a-5000-7000-8000-000000000000`,
    CSV,
    `center,token\n${'1,planned\n'.repeat(100_000)}`,
    200,
  ],
  ['a file over the limit', `POST ${NODES}import`, CSV, ROWS, 413],
  ['a query that is wrong', `POST ${NODES}import?mode=strange`, CSV, `x,y\n${'1,2\n'.repeat(75_000)}`, 422],
  ['a wrong media type', `POST ${NODES}import`, JSON_TYPE, ROWS, 415],
  ['a JSON body over the limit', `POST ${NODES}`, JSON_TYPE, ROWS, 413],
  ['a JSON body of a wrong type', `POST ${NODES}`, CSV, ROWS, 415],
  ['no token', `POST ${NODES}import`, { ...CSV, authorization: 'Bearer x' }, ROWS, 401],
  ['an unknown path', 'POST /v2/cov/nothing', CSV, ROWS, 404],
  ['a method that is not allowed', `PUT ${SEARCH}`, CSV, ROWS, 405],
  ['a GET with a body', `GET ${NODES}`, JSON_TYPE, ROWS, 200],
  ['a DELETE with a body', `DELETE ${NODES}01902d3a-5000-7000-8000-000000000000/`, JSON_TYPE, ROWS, 404],
])('after a response before the end of the body, the connection closes or works: %s', async (_what, line, headers, body, status) => {
  const text = await answersTo(line, { authorization, ...headers }, body);
  expect(text).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  const [head = ''] = text.split('\r\n\r\n');
  if (!/connection: close/i.test(head)) expect(text).toContain('"status":"ok"');
});
