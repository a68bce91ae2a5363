import { connect } from 'node:net';
import {
  cloneDatabase,
  type ClonedDatabase,
  type ServiceProcess,
  startServiceProcess,
  startTestIssuer,
  TEST_AUDIENCE,
  type TestIssuer,
  until,
} from '@fibre/testing';
import { ALL_SCOPES, newNode, NODES } from '../access-nodes/access-nodes.js';

/** The log names the pattern of a route. */
const ROUTE = '/v2/cov/nodes';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';

/** A defect: an unhandled promise rejection. */
const REJECTION = `process.on('SIGUSR2',()=>{Promise.reject(new Error('forgotten'))})`;

let issuer: TestIssuer;
let database: ClonedDatabase;
let service: ServiceProcess;
let token: string;

beforeAll(async () => {
  [issuer, database] = await Promise.all([startTestIssuer(), cloneDatabase()]);
  service = await startServiceProcess('coverage-service', {
    DATABASE_URL: database.url,
    OAUTH_ISSUER: issuer.url,
    OAUTH_AUDIENCE: TEST_AUDIENCE,
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(REJECTION)}`,
  });
  token = await issuer.token({ scope: ALL_SCOPES });
});
afterAll(async () => {
  await service.kill();
  await Promise.all([issuer.close(), database.drop()]);
});

/** The log line of a request, which is written after its response. */
const lineOf = (id: string): Promise<Record<string, unknown>> =>
  until(`the line of ${id}`, () => service.log().find(({ request_id, status }) => request_id === id && status !== undefined));

test('a request leaves one line with who, what, how it ended and how long it took, and no secret', async () => {
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    'x-request-id': 'log-1',
    traceparent: `00-${TRACE}-00f067aa0ba902b7-01`,
  };
  const answer = await fetch(`${service.url}${NODES}?target=prenodes`, {
    method: 'POST',
    headers,
    body: JSON.stringify(newNode({ customer_reference: 'secret reference' })),
  });
  expect([answer.status, answer.headers.get('x-request-id')]).toEqual([201, 'log-1']);
  const line = await lineOf('log-1');
  expect(line).toMatchObject({
    level: 'info',
    service: 'coverage-service',
    msg: `POST ${ROUTE} 201`,
    method: 'POST',
    path: ROUTE,
    status: 201,
    tenant: 'ano.test',
    client: 'client',
    actor: 'client',
    operation: 'createAccessNode',
    location: answer.headers.get('location'),
    request_id: 'log-1',
    trace_id: TRACE,
    duration_ms: expect.any(Number),
    time: expect.stringMatching(/Z$/),
  });
  const text = JSON.stringify(service.log());
  for (const secret of [token, token.split('.')[2]!, 'secret reference', 'Bearer', new URL(database.url).password])
    if (secret) expect(text).not.toContain(secret);
});

test('an error is logged with its code and with the reason, which the client never sees', async () => {
  const answer = await fetch(`${service.url}${NODES}?access_token=hidden`, {
    headers: {
      authorization: `Bearer ${await issuer.token({ claims: { iss: `https://issuer.invalid/${'x'.repeat(300)}` } })}`,
      'x-request-id': 'log-2',
    },
  });
  expect(await answer.text()).not.toContain('issuer.invalid');
  expect(await lineOf('log-2')).toMatchObject({
    level: 'info',
    status: 401,
    code: 'token-invalid',
    reason: `the issuer of the token is another one: "${`https://issuer.invalid/${'x'.repeat(300)}`.slice(0, 200)}"`,
    path: ROUTE,
  });
  expect(JSON.stringify(service.log())).not.toContain('hidden');
});

test('the path of a search by address is logged without the id of the address, even if that is a UUID', async () => {
  const address_id = '0190a3d1-5000-7000-8000-00000000ad01';
  const headers = { authorization: `Bearer ${token}`, 'x-request-id': 'log-address' };
  expect((await fetch(`${service.url}/v2/cov/search/addresses/${address_id}/`, { headers })).status).toBe(200);
  expect(await lineOf('log-address')).toMatchObject({ status: 200, path: '/v2/cov/search/addresses/:address_id' });
  expect(JSON.stringify(service.log())).not.toContain(address_id);
});

test('the log line of a bulk operation names the relation, or says how many nodes were changed', async () => {
  const relation_id = '01a1ff55-ca67-75e7-aace-3e4e0691dbe5';
  const send = (id: string, method: string, query: string) =>
    fetch(`${service.url}${NODES}?${query}`, { method, headers: { authorization: `Bearer ${token}`, 'x-request-id': id } });
  expect((await send('merge', 'PUT', `relation_id=${relation_id}`)).status).toBe(200);
  expect((await send('delete', 'DELETE', `relation_id=${relation_id.toUpperCase()}&target=prenodes`)).status).toBe(204);
  expect((await send('typo', 'DELETE', `relation_id=secret`)).status).toBe(422);
  expect(await lineOf('merge')).toMatchObject({ operation: 'mergeAccessNodes', path: ROUTE, relation_id, inserted: 0, updated: 0 });
  expect(await lineOf('delete')).toMatchObject({
    operation: 'deleteAccessNodes',
    path: ROUTE,
    relation_id,
    target: 'prenodes',
    deleted: 0,
  });
  const created = (await (
    await fetch(`${service.url}${NODES}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ relation_id, token: 'planned', center: '48, 16' }),
    })
  ).json()) as { node_id: string };
  await fetch(`${service.url}${NODES}`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'x-request-id': 'set' },
    body: JSON.stringify({ node_ids: [created.node_id], set: { token: 'operation' } }),
  });
  expect(await lineOf('set')).toMatchObject({ operation: 'updateAccessNodes', path: ROUTE, updated: 1, unchanged: 0 });
  expect(await lineOf('typo')).not.toHaveProperty('relation_id');
  const node_id = '01a1ff55-ca67-75e7-aace-3e4e0691dbe5';
  const headers = {
    authorization: `Bearer ${await issuer.token({ scope: ALL_SCOPES, claims: { sub: 'anna', preferred_username: 'Anna' } })}`,
    'x-request-id': 'one',
  };
  await fetch(`${service.url}${NODES}${node_id}`, { method: 'DELETE', headers });
  expect(await lineOf('one')).toMatchObject({ operation: 'deleteAccessNode', node_id, subject: 'anna', actor: 'Anna', status: 404 });
});

test('probes and scrapes leave no line', async () => {
  for (const path of ['/health/live', '/health/ready', '/metrics'])
    await fetch(`${service.url}${path}`, { headers: { 'x-request-id': 'quiet' } });
  await fetch(`${service.url}/v2/cov/nothing`, { headers: { 'x-request-id': 'log-3' } });
  expect(await lineOf('log-3')).toMatchObject({ status: 404, code: 'route-not-found' });
  expect(service.log().filter(({ request_id }) => request_id === 'quiet')).toEqual([]);
});

test('a client that disconnects is logged in one line, as 499 and without a stack', async () => {
  const { hostname, port } = new URL(service.url);
  const socket = connect(Number(port), hostname);
  socket.write(
    `POST ${NODES} HTTP/1.1\r\nhost: test\r\nauthorization: Bearer ${token}\r\nx-request-id: gone\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{`,
  );
  await until('the request', async () =>
    /^limit_used\{limit="body bytes"\} 1$/m.test(await (await fetch(`${service.url}/metrics`)).text()),
  );
  socket.resetAndDestroy();
  expect(await lineOf('gone')).toMatchObject({ level: 'info', status: 499, msg: `POST ${ROUTE} 499` });
  expect(service.log().filter(({ request_id }) => request_id === 'gone')).toHaveLength(1);
});

test('an unhandled rejection is logged and counted, and does not end the process', async () => {
  service.signal('SIGUSR2');
  await until('the line', () => service.log().find(({ msg }) => msg === 'unhandled promise rejection'));
  expect(await (await fetch(`${service.url}/metrics`)).text()).toMatch(/^unhandled_rejections_total 1$/m);
});

test('a service told to stop finishes its requests and exits', async () => {
  expect(await service.stop()).toBe(0);
  expect(service.log().map(({ msg }) => msg)).toContain('SIGTERM: shutting down');
});
