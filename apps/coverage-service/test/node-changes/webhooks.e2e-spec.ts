import { randomUUID } from 'node:crypto';
import { startTestService, type TestService, WebhookReceiver } from '@fibre/testing';
import pg from 'pg';
import { Webhook } from 'standardwebhooks';
import { version } from 'uuid';
import { coverageService } from '../../src/coverage-service.js';
import { type Client, invalid, operator, problemOf, refusal, TIMESTAMP } from '../access-nodes/access-nodes.js';
import { sql } from '../database/sql.js';
import { walk } from '../pages/pages.js';

const WEBHOOKS = '/v2/cov/webhooks/';
const URL = 'https://crm.example/hooks/fibre?key=1';

let service: TestService;
let ano: Client;
let tenants = 0;

beforeAll(async () => {
  service = await startTestService(coverageService);
});
beforeEach(async () => {
  ano = await operator(service, `ano.hooks${++tenants}`);
});
afterAll(() => service.close());

const post = (request: object, client = ano) => client.post(WEBHOOKS).send({ url: URL, feed: 'nodes', ...request });
async function create(request: object = {}, client = ano) {
  const answer = await post(request, client);
  expect([answer.status, answer.text]).toEqual([201, answer.text]);
  const { secret, ...webhook } = answer.body as Record<string, unknown> & { secret: string };
  return { secret, webhook, url: `${WEBHOOKS}${webhook['webhook_id'] as string}/` };
}

test('a creation returns 201, the path, the whole webhook, and its secret, which is not shown again', async () => {
  const relation_id = randomUUID();
  const since = new Date(Date.now() - 60_000).toISOString();
  const answer = await post({ description: 'CRM', relation_id: relation_id.toUpperCase(), since, enabled: false });
  const { secret, ...webhook } = answer.body;
  expect([answer.status, answer.headers['location']]).toEqual([201, `${WEBHOOKS}${webhook.webhook_id}/`]);
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(version(webhook.webhook_id as string)).toBe(7);
  expect(webhook).toEqual({
    webhook_id: expect.any(String),
    url: URL,
    feed: 'nodes',
    relation_id,
    description: 'CRM',
    enabled: false,
    since: since.replace('Z', '+00:00'),
    state: 'disabled',
    delivered_until: since.replace('Z', '+00:00'),
    tenant: `ano.hooks${tenants}`,
    created_at: expect.stringMatching(TIMESTAMP),
    created_by: 'client',
    modified_at: webhook.created_at,
    modified_by: 'client',
  });
  expect((await ano.get(answer.headers['location']!)).body).toEqual(webhook);
  expect((await ano.get(WEBHOOKS)).body).toEqual([webhook]);
});

test.each([{}, { relation_id: null, description: null, enabled: null, since: null }])(
  'by default (%j), a webhook is enabled and gets all changes from now on',
  async (request) => {
    const { webhook } = await create(request);
    const now = webhook['created_at'];
    expect(webhook).toMatchObject({ enabled: true, state: 'active', since: now, delivered_until: now });
    for (const member of ['relation_id', 'description', 'last_status', 'failing_since']) expect(webhook).not.toHaveProperty(member);
  },
);

test('an error names every invalid member at once', async () => {
  expect(problemOf(await ano.post(WEBHOOKS).send({}))).toEqual(invalid('#/url', '#/feed'));
  const wrong = { description: '', enabled: 'yes', since: '2026-01-01', secret: 'mine' };
  expect(problemOf(await post(wrong))).toEqual(invalid('#/description', '#/enabled', '#/secret', '#/since'));
  // The last three aren't filters of this feed.
  const filters = { relation_id: 'x', entity_id: randomUUID(), token: 'planned', hasOwnProperty: '1' };
  expect(problemOf(await post(filters))).toEqual(invalid('#/relation_id', '#/entity_id', '#/token', '#/hasOwnProperty'));
  for (const feed of ['events', 'constructor', null, 1]) expect([feed, problemOf(await post({ feed }))]).toEqual([feed, invalid('#/feed')]);
  expect(problemOf(await post({ since: '2020-01-01T00:00:00Z' }))).toEqual(refusal(410, 'changes-gone'));
});

test.each([
  'crm.example',
  'http://crm.example/',
  'http://127.0.0.1.crm.example/',
  'ftp://127.0.0.1/',
  'https://me:secret@crm.example/',
  'https://:@crm.example/',
  'https://@crm.example/',
  'https://crm.example/#part',
  'https://crm.example/#',
  'https://crm.example/\0',
  'https://crm.example/\ud800',
  'https://crm.example/\r\nx: y',
  'https://crm.example/a b',
  ' https://crm.example/',
  'https://crm.example/\t',
  'https://crm.example\\@evil.example/',
  'https:///crm.example/',
  'https:crm.example',
  'https:/crm.example',
  'https://crm..example/',
  `https://${'a'.repeat(64)}.example/`,
  `https://${'a.'.repeat(127)}example/`,
  `https://crm.example/${'ü'.repeat(1_000)}`,
  `https://crm.example/${'x'.repeat(2_048)}`,
  'https://',
  1,
  null,
])('the URL %j is rejected on creation and on update', async (url) => {
  expect(problemOf(await post({ url }))).toEqual(invalid('#/url'));
  expect(problemOf(await ano.patch(`${WEBHOOKS}${randomUUID()}/`).send({ url }))).toEqual(invalid('#/url'));
});

test('the URL is stored as it is sent: with a canonical host and path', async () => {
  const [sent, stored] = ['HTTPS://CRM.Example:443/a/../ü?q=ö', 'https://crm.example/%C3%BC?q=%C3%B6'];
  const { url, webhook } = await create({ url: sent });
  expect(webhook['url']).toBe(stored);
  await ano.patch(url).send({ url: URL }).expect(200);
  expect((await ano.patch(url).send({ url: sent })).body).toMatchObject({ url: stored });
  expect((await create({ url: `https://${'a'.repeat(63)}.example./` })).webhook['url']).toBe(`https://${'a'.repeat(63)}.example./`);
  expect((await create({ url: 'https://[2001:DB8::1]/' })).webhook['url']).toBe('https://[2001:db8::1]/');
});

test('every operation with a namespace is rejected and does nothing, because webhooks follow the production state', async () => {
  const { url, webhook, secret } = await create({ enabled: false });
  for (const request of [
    post({}),
    ano.get(WEBHOOKS),
    ano.get(url),
    ano.patch(url).send({ enabled: true }),
    ano.post(`${url}test/`),
    ano.post(`${url}rotate/`),
    ano.delete(url),
  ])
    expect([request.method, problemOf(await request.set('namespace', 'dev-1'))]).toEqual([request.method, invalid('namespace')]);
  expect((await ano.get(WEBHOOKS)).body).toEqual([webhook]);
  const database = new pg.Client(service.databaseUrl);
  await database.connect();
  const { rows } = await database.query('select secret from webhook where webhook_id = $1', [webhook['webhook_id']]);
  await database.end();
  expect(rows).toEqual([{ secret }]);
});

test('in development, the URL may be http to this machine', async () => {
  for (const url of ['http://localhost:1/', 'http://127.0.0.1:1/', 'http://[::1]:1/']) await create({ url, enabled: false });
});

test('an update changes the fields that it names and modified_at, but not the feed, its filters or since', async () => {
  const { url, webhook } = await create({ description: 'CRM' });
  expect((await ano.patch(url).send({})).body).toEqual(webhook);
  const changed = await ano
    .patch(url)
    .type('application/merge-patch+json')
    .send(JSON.stringify({ url: 'https://other.example/', description: null, enabled: false }));
  const { description: _none, ...rest } = webhook;
  expect([changed.status, changed.body]).toEqual([
    200,
    {
      ...rest,
      url: 'https://other.example/',
      enabled: false,
      state: 'disabled',
      modified_at: expect.stringMatching(TIMESTAMP),
      delivered_until: expect.stringMatching(TIMESTAMP),
    },
  ]);
  expect(changed.body.modified_at > (webhook['modified_at'] as string)).toBe(true);
  expect(changed.body.delivered_until >= (webhook['since'] as string)).toBe(true);
  expect((await ano.get(url)).body).toEqual(changed.body);
  expect(
    problemOf(
      await ano.patch(url).send({ feed: 'search', relation_id: randomUUID(), since: '2026-01-01T00:00:00Z', state: 'active', secret: 'x' }),
    ),
  ).toEqual(invalid('#/feed', '#/relation_id', '#/since', '#/state', '#/secret'));
});

test('an update with equal values changes nothing', async () => {
  const { url } = await create({ description: 'CRM', enabled: false });
  const before = await ano.get(url);
  for (const equal of [{ description: 'CRM' }, { enabled: false }, { url: URL, description: 'CRM', enabled: false }]) {
    const answer = await ano.patch(url).send(equal);
    expect([answer.status, answer.body]).toEqual([200, before.body]);
  }
});

test('another URL ends the failures of the one before', async () => {
  const { url, webhook } = await create({ enabled: false });
  const fail = `update webhook set failing_since = now(), last_error = 'responded 500' where webhook_id = $1 returning 1`;
  await sql(service.databaseUrl, fail, [webhook['webhook_id']]);
  expect((await ano.get(url)).body).toMatchObject({ last_error: 'responded 500', failing_since: expect.stringMatching(TIMESTAMP) });
  const { body } = await ano.patch(url).send({ url: 'https://crm.example/hooks/other' }).expect(200);
  expect([body.last_error, body.failing_since]).toEqual([undefined, undefined]);
});

test("a deleted webhook gets 404, and so does another tenant's webhook", async () => {
  const { url } = await create();
  const other = await operator(service, 'ano.other');
  for (const answer of [
    await other.get(url),
    await other.patch(url).send({ enabled: false }),
    await other.delete(url),
    await other.post(`${url}test/`),
    await other.post(`${url}rotate/`),
  ])
    expect(problemOf(answer)).toEqual(refusal(404, 'not-found'));
  expect((await other.get(WEBHOOKS)).body).toEqual([]);
  expect((await ano.delete(url)).status).toBe(204);
  expect(problemOf(await ano.get(url))).toEqual(refusal(404, 'not-found'));
  expect(problemOf(await ano.delete(url))).toEqual(refusal(404, 'not-found'));
});

test('a tenant has at most 20 webhooks, even when it creates many at once, and lists them oldest first', async () => {
  const answers = await Promise.all(Array.from({ length: 40 }, () => post({ enabled: false })));
  const refused = answers.filter(({ status }) => status !== 201);
  expect([answers.length - refused.length, ...refused.map(problemOf)]).toEqual([
    20,
    ...refused.map(() => refusal(409, 'too-many-webhooks')),
  ]);
  const walked = await walk(ano, `${WEBHOOKS}?_page_size=7`);
  expect(walked.map((webhook) => webhook['webhook_id'])).toEqual(walked.map((webhook) => webhook['webhook_id']).sort());
  expect(walked).toHaveLength(20);
  await ano.delete(`${WEBHOOKS}${walked[0]!['webhook_id']}/`).expect(204);
  await create({ enabled: false });
});

test('each feed requires its own scopes', async () => {
  const tenant = `ano.hooks${tenants}`;
  const [reader, writer, searcher] = await Promise.all(
    ['coverage:read', 'coverage:write', 'coverage:search'].map((scope) => service.as({ tenant, scope })),
  );
  const missing = async (answer: ReturnType<Client['get']>) => {
    const { status, headers } = await answer;
    return [status, /scope="([^"]*)"/.exec(headers['www-authenticate'] ?? '')?.[1]];
  };
  const nodes = await create({ enabled: false }, writer);
  const search = await create({ enabled: false, feed: 'search' }, searcher);
  expect(await missing(post({ feed: 'search' }, writer))).toEqual([403, 'coverage:search']);
  expect(await missing(post({}, searcher))).toEqual([403, 'coverage:write']);
  expect(await missing(post({}, reader))).toEqual([403, 'coverage:write']);

  expect((await reader!.get(WEBHOOKS)).body).toEqual([nodes.webhook]);
  expect((await searcher!.get(WEBHOOKS)).body).toEqual([search.webhook]);
  expect(await missing(reader!.get(nodes.url))).toEqual([200, undefined]);
  expect(await missing(reader!.get(search.url))).toEqual([403, 'coverage:search']);
  expect(await missing(writer!.get(nodes.url))).toEqual([403, 'coverage:read']);
  for (const send of [
    (client: Client, url: string) => client.patch(url).send({ enabled: false }),
    (client: Client, url: string) => client.post(`${url}rotate/`),
    (client: Client, url: string) => client.post(`${url}test/`),
    (client: Client, url: string) => client.delete(url),
  ]) {
    expect(await missing(send(searcher!, nodes.url))).toEqual([403, 'coverage:write']);
    expect(await missing(send(writer!, search.url))).toEqual([403, 'coverage:search']);
  }
  expect([(await writer!.delete(nodes.url)).status, (await searcher!.delete(search.url)).status]).toEqual([204, 204]);
});

describe('with a receiver', () => {
  let receiver: WebhookReceiver;
  beforeEach(async () => {
    receiver = await new WebhookReceiver().start();
  });
  afterEach(() => receiver.stop());

  test('the test operation sends one event, even to a disabled webhook, and says whether it was delivered', async () => {
    const { url, secret, webhook } = await create({ url: receiver.urlOf(), enabled: false });
    receiver.secrets.push(secret);
    expect((await ano.post(`${url}test/`)).body).toEqual({ delivered: true, status: 204 });
    expect(receiver.events).toEqual([
      expect.objectContaining({ type: 'open-access-fibre.webhook.test', data: { webhook_id: webhook['webhook_id'] } }),
    ]);
    receiver.respond = (response) => response.writeHead(404).end();
    expect((await ano.post(`${url}test/`)).body).toEqual({ delivered: false, status: 404, error: 'responded 404' });
    expect((await ano.get(url)).body).toEqual(webhook);
  });

  test('both secrets sign for a day after a rotation, then only the new one does', async () => {
    const { url, secret } = await create({ url: receiver.urlOf(), enabled: false });
    const rotated = await ano.post(`${url}rotate/`);
    expect([rotated.status, rotated.body.secret === secret]).toEqual([200, false]);
    receiver.secrets.push(rotated.body.secret as string);
    const verifies = async (with_: string) => {
      await ano.post(`${url}test/`).expect(200);
      const { headers, text } = receiver.batches.at(-1)!;
      try {
        return Boolean(new Webhook(with_).verify(text, headers as Record<string, string>));
      } catch {
        return false;
      }
    };
    expect([await verifies(secret), await verifies(rotated.body.secret as string)]).toEqual([true, true]);
    const database = new pg.Client(service.databaseUrl);
    await database.connect();
    await database.query(`update webhook set rotated_at = rotated_at - interval '1 day'`);
    await database.end();
    expect([await verifies(secret), await verifies(rotated.body.secret as string)]).toEqual([false, true]);
  });
});
