import { randomUUID } from 'node:crypto';
import type { TestService } from '@fibre/testing';
import pg from 'pg';
import { MAX, NIL } from 'uuid';
import { findEventOfIsp } from '../../src/isps/isp.sql.js';
import { activation, newEntity, newTenant, notification, offenders, PARTNER, requestsOf, startEvents, update } from '../events/events.js';
import { ISPS, newName, registryOf } from './isps.js';
import { nextOf } from '../service/pages.js';

let service: TestService;
let client: Awaited<ReturnType<TestService['as']>>;
let isps: ReturnType<typeof registryOf>;
let events: ReturnType<typeof requestsOf>;

beforeAll(async () => {
  ({ service, client } = await startEvents());
  isps = registryOf(client);
  events = requestsOf(client);
});
afterAll(() => service.close());

const TIMESTAMP = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/);
const WHOLE = { email: 'noc@isp.example', comment: 'Contract of 2026.' };
/** Each emoji has two UTF-16 code units and four bytes. */
const LONGEST = '🛰'.repeat(255);
const refusal = ({ status, body }: { status: number; body: { code?: string } }): unknown[] => [status, body.code];
const tally = (values: unknown[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const value of values) counts[String(value)] = (counts[String(value)] ?? 0) + 1;
  return counts;
};

test('an ISP is registered, read, replaced and deleted', async () => {
  const name = newName();
  const created = await isps.post({ name, ...WHOLE });
  expect(created.status).toBe(201);
  const { partner_id } = created.body;
  const BY = { created_by: 'client', modified_by: 'client' };
  expect(created.body).toEqual({ partner_id, name, ...WHOLE, tenant: 'ano.test', created_at: TIMESTAMP, modified_at: TIMESTAMP, ...BY });
  expect(Object.keys(created.body as object)).toEqual([
    'partner_id',
    'name',
    'email',
    'comment',
    'tenant',
    'created_at',
    'created_by',
    'modified_at',
    'modified_by',
  ]);
  expect(partner_id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
  expect([created.headers.location, created.headers.etag]).toEqual([`${ISPS}${partner_id}/`, '"1"']);

  const read = await client.get(created.headers.location as string);
  expect([read.status, read.text, read.headers.etag]).toEqual([200, created.text, '"1"']);

  const replaced = await isps.put(partner_id, { name, email: null });
  expect([replaced.status, replaced.headers.etag, replaced.headers.location]).toEqual([200, '"2"', undefined]);
  expect(replaced.body).toEqual({
    partner_id,
    name,
    tenant: 'ano.test',
    created_at: created.body.created_at,
    modified_at: replaced.body.modified_at,
    ...BY,
  });
  expect(replaced.body.modified_at > created.body.modified_at).toBe(true);
  expect((await isps.get(partner_id)).text).toBe(replaced.text);

  const gone = await isps.remove(partner_id);
  expect([gone.status, gone.text]).toEqual([204, '']);
  expect(refusal(await isps.get(partner_id))).toEqual([404, 'not-found']);
  expect(refusal(await isps.remove(partner_id))).toEqual([404, 'not-found']);
});

test("a PUT uses the client's id, which may be any UUID in either case, and repeating it changes nothing", async () => {
  for (const id of [randomUUID().toUpperCase(), '00000000-0000-0000-0000-000000000000', 'FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF']) {
    const [body, lower] = [{ name: newName(), ...WHOLE }, id.toLowerCase()];
    const created = await isps.put(id, body);
    expect([created.status, created.body.partner_id, created.headers.location, created.headers.etag]).toEqual([
      201,
      lower,
      `${ISPS}${lower}/`,
      '"1"',
    ]);
    for (const same of [id, lower]) {
      const again = await isps.put(same, body);
      expect([again.status, again.text, again.headers.etag]).toEqual([200, created.text, '"1"']);
    }
    expect((await isps.get(id)).text).toBe(created.text);
    expect((await isps.remove(id)).status).toBe(204);
    expect((await isps.put(id, body)).status).toBe(201);
  }
});

test('a name is unique within tenant and namespace, and the error names the ISP that has it', async () => {
  const [first, second] = [await isps.post(), await isps.post()];
  const { name, partner_id } = first.body;
  const taken = [
    await isps.post({ name }),
    await isps.put(second.body.partner_id, { name }),
    await isps.put(randomUUID(), { name }),
    await isps.put(second.body.partner_id, { name }, { 'if-match': '"1"' }),
  ];
  for (const answer of taken) {
    expect(refusal(answer)).toEqual([409, 'isp-name-taken']);
    expect(answer.body.conflicts_with).toEqual([{ partner_id }]);
    expect(answer.body.detail).toContain(name);
  }
  // Compared exactly: case and spaces inside it count.
  for (const other of [name.toLowerCase(), `${name}  x`, `${name} x`]) expect((await isps.post({ name: other })).status).toBe(201);
  expect((await isps.put(partner_id, { name: newName() })).status).toBe(200);
  expect((await isps.post({ name })).status).toBe(201);
  const theirs = registryOf((await newTenant(service)).client);
  expect((await theirs.post({ name })).status).toBe(201);
});

test('a PUT with If-None-Match: * only creates', async () => {
  const [id, name] = [randomUUID(), newName()];
  const onlyNew = { 'if-none-match': '*' };
  expect((await isps.put(id, { name }, onlyNew)).status).toBe(201);
  for (const body of [{ name }, { name: newName() }]) {
    const refused = await isps.put(id, body, onlyNew);
    expect(refusal(refused)).toEqual([412, 'precondition-failed']);
    expect(refused.body.detail).toContain('If-None-Match');
  }
  expect((await isps.get(id)).headers.etag).toBe('"1"');
  for (const [tags, status] of [
    ['"1"', 412],
    ['W/"1", "7"', 412],
    ['"2"', 200],
  ] as const)
    expect([tags, (await isps.put(id, { name }, { 'if-none-match': tags })).status]).toEqual([tags, status]);
  const malformed = await isps.put(id, { name }, { 'if-none-match': '1' });
  expect([malformed.status, offenders(malformed)]).toEqual([422, ['if-none-match']]);
  const other = randomUUID();
  const answers = await Promise.all(Array.from({ length: 20 }, () => isps.put(other, { name: newName() }, onlyNew)));
  expect(tally(answers.map(refusal))).toEqual({ '201,': 1, '412,precondition-failed': 19 });
});

test('a DELETE with If-None-Match spares a version that it names', async () => {
  const { partner_id } = (await isps.post()).body;
  for (const tags of ['*', '"1"', 'W/"1"'])
    expect(refusal(await isps.remove(partner_id, { 'if-none-match': tags }))).toEqual([412, 'precondition-failed']);
  expect((await isps.remove(partner_id, { 'if-none-match': '"2"' })).status).toBe(204);
});

test('other tenants cannot see it', async () => {
  const { partner_id } = (await isps.post()).body;
  const theirs = registryOf((await newTenant(service)).client);
  expect((await theirs.get()).text).toBe('[]');
  expect(refusal(await theirs.get(partner_id))).toEqual([404, 'not-found']);
  expect(refusal(await theirs.remove(partner_id))).toEqual([404, 'not-found']);
  expect((await theirs.put(partner_id, { name: 'theirs' })).status).toBe(201);
  expect((await isps.get(partner_id)).body.name).not.toBe('theirs');
});

test.each<[Record<string, unknown>, string[]]>([
  [{}, ['#/name']],
  [{ name: null }, ['#/name']],
  [{ name: '' }, ['#/name']],
  [{ name: 7 }, ['#/name']],
  [{ name: `${LONGEST}x` }, ['#/name']],
  [{ name: 'a\0b' }, ['#/name']],
  [{ name: 'a\ud800' }, ['#/name']],
  [{ name: 'a', comment: '' }, ['#/comment']],
  [{ name: 'a', comment: 'c'.repeat(4_001) }, ['#/comment']],
  [{ name: 'a', comment: ['c'] }, ['#/comment']],
  [{ name: 'a', mail: 'a@b.example' }, ['#/mail']],
  [{ name: 'a', __proto__x: 1 }, ['#/__proto__x']],
  [
    { partner_id: randomUUID(), name: '', email: '@', comment: '', version: 1 },
    ['#/version', '#/name', '#/email', '#/comment', '#/partner_id'],
  ],
  [
    { name: 'a', tenant: 'ano.demo', created_at: 'x', created_by: 'x', modified_at: 'x', modified_by: 'x' },
    ['#/tenant', '#/created_at', '#/created_by', '#/modified_at', '#/modified_by'],
  ],
])('the error says what is wrong with body %#', async (body, expected) => {
  for (const answer of [await isps.post(body), await isps.put(randomUUID(), body)])
    expect([answer.status, answer.body.code, offenders(answer).sort()]).toEqual([422, 'invalid-request', [...expected].sort()]);
});

test.each(
  [
    '',
    'a',
    'a@',
    '@b.example',
    'a@b',
    'a b@c.example',
    'a@b.example, c@d.example',
    'A <a@b.example>',
    'a@b.example\n',
    7,
    {},
    [],
    'a@[127.0.0.1]',
  ].concat([
    '"a\\\r\nBcc: x"@b.example',
    '"a\0"@b.example',
    'a\ud800b@c.example',
    'ä'.repeat(33) + '@b.example',
    `${'a'.repeat(65)}@b.example`,
    `a@${'b'.repeat(60)}.${'c.'.repeat(100)}example`,
  ]),
)('not an email address: %#', async (email) => {
  const answer = await isps.post({ name: newName(), email });
  expect([answer.status, ...offenders(answer)]).toEqual([422, '#/email']);
});

test.each(['a@b.example', "o'neill+noc@sub.b-c.example", 'grüße@dömäin.example', `${'a'.repeat(64)}@b.example`, 'A@B.Example'])(
  '%j is an email address, and is returned unchanged',
  async (email) => {
    expect((await isps.post({ name: newName(), email })).body.email).toBe(email);
  },
);

test('the longest values are stored unchanged', async () => {
  const body = {
    name: LONGEST,
    comment: '🛰'.repeat(4_000),
    email: `${'a'.repeat(64)}@${`${'b'.repeat(60)}.`.repeat(2)}${'c'.repeat(59)}.example`,
  };
  const { partner_id } = (await isps.post(body)).body;
  expect((await isps.get(partner_id)).body).toMatchObject(body);
  expect((await isps.get(`?name=${encodeURIComponent(LONGEST)}`)).body).toEqual([(await isps.get(partner_id)).body]);
});

test('invalid ids, parameters and headers are rejected', async () => {
  for (const answer of [await isps.get('nobody'), await isps.put('nobody', { name: 'a' }), await isps.remove('nobody')])
    expect([answer.status, ...offenders(answer)]).toEqual([422, 'partner_id']);
  for (const [path, offender] of [
    ['?nam=a', 'nam'],
    ['?name=', 'name'],
    ['?name=a&name=b', 'name'],
    ['?_page_size=0', '_page_size'],
    ['?_page_cursor=x', '_page_cursor'],
  ] as const)
    expect([path, offenders(await isps.get(path))]).toEqual([path, [offender]]);
  const id = randomUUID();
  expect(offenders(await isps.put(id, { name: 'a' }, { 'if-match': '1' }))).toEqual(['if-match']);
  expect(offenders(await isps.remove(id, { 'if-match': '1' }))).toEqual(['if-match']);
  expect(offenders(await isps.get(id, { 'if-none-match': '1', namespace: '-' })).sort()).toEqual(['if-none-match', 'namespace']);
  expect(offenders(await isps.put('x', {}, { 'if-match': '1' })).sort()).toEqual(['#/name', 'if-match', 'partner_id']);
});

test('versions: If-Match protects replacement and deletion, If-None-Match gives 304', async () => {
  const { partner_id } = (await isps.post()).body;
  const body = { name: newName(), comment: 'second' };
  expect(refusal(await isps.put(partner_id, body, { 'if-match': '"2"' }))).toEqual([412, 'precondition-failed']);
  expect((await isps.put(partner_id, body, { 'if-match': 'W/"1", "1"' })).headers.etag).toBe('"2"');
  // The fields are the same, but the client has seen a different version.
  expect(refusal(await isps.put(partner_id, body, { 'if-match': '"1"' }))).toEqual([412, 'precondition-failed']);
  expect((await isps.put(partner_id, body, { 'if-match': '*' })).headers.etag).toBe('"2"');
  expect(refusal(await isps.put(randomUUID(), { name: newName() }, { 'if-match': '*' }))).toEqual([412, 'precondition-failed']);
  const known = await isps.get(partner_id, { 'if-none-match': '"1", "2"' });
  expect([known.status, known.text, known.headers.etag]).toEqual([304, '', '"2"']);
  expect((await isps.get(partner_id, { 'if-none-match': '"1"' })).status).toBe(200);
  expect((await isps.get()).headers.etag).toBeUndefined();
  for (const tags of ['"1"', 'W/"2"'])
    expect(refusal(await isps.remove(partner_id, { 'if-match': tags }))).toEqual([412, 'precondition-failed']);
  expect(refusal(await isps.remove(randomUUID(), { 'if-match': '"1"' }))).toEqual([404, 'not-found']);
  expect((await isps.remove(partner_id, { 'if-match': '"2"' })).status).toBe(204);
});

test('the list is ordered by id, has pages, and can be filtered by name', async () => {
  const theirs = registryOf((await newTenant(service)).client);
  const ids: string[] = [];
  for (let number = 0; number < 5; number++) ids.push((await theirs.post()).body.partner_id as string);
  const [low, high] = ['00000000-0000-4000-8000-000000000000', 'ffffffff-0000-4000-8000-000000000000'];
  const named = await theirs.put(high);
  await theirs.put(low);
  const pages: string[][] = [];
  for (let path: string | undefined = '?_page_size=3'; path !== undefined;) {
    const page = await theirs.get(path);
    expect([page.status, page.headers['x-page-size'], page.headers['x-page-count']]).toEqual([200, '3', '3']);
    pages.push(page.body.map(({ partner_id }: { partner_id: string }) => partner_id));
    const next = nextOf(page);
    path = next && new URL(next).search;
  }
  expect(pages).toEqual([[low, ids[0], ids[1]], [ids[2], ids[3], ids[4]], [high]]);
  expect((await theirs.get(`?name=${encodeURIComponent(named.body.name as string)}`)).body).toEqual([named.body]);
  expect((await theirs.get('?name=nobody')).text).toBe('[]');
});

test('a namespace has its own registry, which a write creates and a read does not', async () => {
  const [one, other] = [registryOf(client, { namespace: 'isps-one' }), registryOf(client, { namespace: 'isps-other' })];
  const name = newName();
  expect([(await one.get()).text, (await one.get(randomUUID())).status, (await one.remove(randomUUID())).status]).toEqual(['[]', 404, 404]);
  const { partner_id } = (await one.post({ name })).body;
  expect((await other.put(partner_id, { name })).status).toBe(201);
  expect((await isps.post({ name })).status).toBe(201);
  expect((await one.post({ name })).status).toBe(409);
  expect(refusal(await isps.get(partner_id))).toEqual([404, 'not-found']);
  expect((await one.get()).body).toHaveLength(1);
  expect((await one.remove(partner_id)).status).toBe(204);
  expect((await other.get(partner_id)).status).toBe(200);
});

test('an ISP cannot be deleted if an event in its tenant and namespace names it, even if that is a notification', async () => {
  for (const make of [activation, notification]) {
    const { partner_id } = (await isps.post()).body;
    const named = { sys_attributes: { partner_id: partner_id.toUpperCase(), article_codes: ['A'] } };
    const elsewhere = [requestsOf(client, { namespace: 'isps-named' }), await newTenant(service)];
    for (const { put } of elsewhere) expect((await put(make(newEntity(), 1, named))).status).toBe(201);
    expect((await isps.remove(partner_id)).status).toBe(204);

    await isps.put(partner_id);
    const recorded = await events.put(make(newEntity(), 1, named));
    const { event_id, event_type, event_at } = recorded.body;
    const refused = await isps.remove(partner_id);
    expect([...refusal(refused), refused.body.conflicts_with]).toEqual([409, 'isp-in-use', [{ event_id, event_type, event_at }]]);
    expect(refusal(await isps.remove(partner_id, { 'if-match': '"2"' }))).toEqual([412, 'precondition-failed']);
    // The fields of the ISP may change.
    expect((await isps.put(partner_id)).status).toBe(200);
  }
});

/** Skipped on Citus, where a plan only counts the pages that one server reads. */
const onOneServer = process.env.CITUS_URL ? test.skip : test;

onOneServer('searching for events of an unused ISP reads few pages, whichever ISPs other events name', async () => {
  const database = new pg.Client(service.databaseUrl);
  await database.connect();
  await database.query(`set session_replication_role = replica`);
  await database.query(
    `insert into event (event_id, shard_key, tenant, namespace_id, entity_id, sequence, event_type, event_at, event_timezone, event_date,
       sys_attributes, sys_hash, created_at, modified_at)
     select gen_random_uuid(), 1, 'busy', '${NIL}', gen_random_uuid(), 1, 'activation', now(), 'UTC', now(),
       json_build_object('partner_id', '${PARTNER}'), gen_random_uuid(), now(), now() from generate_series(1, 20000)`,
  );
  await database.query('vacuum analyze event');
  for (const [partnerId, found] of [[PARTNER, PARTNER] as const, [NIL, PARTNER] as const, [MAX, undefined] as const]) {
    const { text, values } = findEventOfIsp({ tenant: 'busy', namespace_id: NIL, partner_id: partnerId });
    expect((await database.query<{ partner_id: string }>(text, values)).rows[0]?.partner_id).toBe(found);
    const { rows } = await database.query<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>(
      `explain (analyze, buffers, format json) ${text}`,
      values,
    );
    const { Plan: plan } = rows[0]!['QUERY PLAN'][0];
    expect(plan['Shared Hit Blocks']! + plan['Shared Read Blocks']!).toBeLessThan(20);
  }
  await database.end();
});

test('with ISPS=open an activation may name any UUID', async () => {
  const entity = newEntity();
  expect((await events.put(activation(entity, 1, { sys_attributes: { partner_id: randomUUID(), article_codes: ['A'] } }))).status).toBe(
    201,
  );
  expect((await events.put(update(entity, 2))).status).toBe(201);
});

test('exactly one of 50 concurrent requests to create the same name wins', async () => {
  const name = newName();
  const answers = await Promise.all(Array.from({ length: 50 }, () => isps.post({ name })));
  expect(tally(answers.map(refusal))).toEqual({ '201,': 1, '409,isp-name-taken': 49 });
  const winner = answers.find(({ status }) => status === 201)!;
  for (const { status, body } of answers) if (status === 409) expect(body.conflicts_with).toEqual([{ partner_id: winner.body.partner_id }]);
});

test('among concurrent PUTs to one id, one creates the ISP, identical ones change nothing, and the last change wins', async () => {
  const [same, id] = [{ name: newName(), ...WHOLE }, randomUUID()];
  const equal = await Promise.all(Array.from({ length: 50 }, () => isps.put(id, same)));
  expect(tally(equal.map(({ status, headers }) => `${status} ${headers.etag}`))).toEqual({ '201 "1"': 1, '200 "1"': 49 });

  const name = newName();
  const others = await Promise.all(Array.from({ length: 50 }, (_, index) => isps.put(id, { name, comment: `${index}` })));
  expect(tally(others.map(({ status }) => status))).toEqual({ 200: 50 });
  const byTime = others.map(({ body }) => body as { modified_at: string }).sort((a, b) => (a.modified_at < b.modified_at ? -1 : 1));
  expect(new Set(byTime.map(({ modified_at }) => modified_at)).size).toBe(50);
  const left = await isps.get(id);
  expect([left.body, left.headers.etag]).toEqual([byTime.at(-1), '"51"']);

  const guarded = await Promise.all(
    Array.from({ length: 30 }, (_, index) => isps.put(id, { name, comment: `g${index}` }, { 'if-match': '"51"' })),
  );
  expect(tally(guarded.map(refusal))).toEqual({ '200,': 1, '412,precondition-failed': 29 });
});

test('a concurrent PUT and DELETE behave as if one ran after the other', async () => {
  for (let round = 0; round < 20; round++) {
    const { partner_id, name } = (await isps.post()).body;
    const [put, removed] = await Promise.all([isps.put(partner_id, { name, comment: 'new' }), isps.remove(partner_id)]);
    expect(removed.status).toBe(204);
    const left = await isps.get(partner_id);
    // If the PUT runs after the deletion, it creates a record, which remains; if it runs before, the replaced record is deleted.
    expect([put.status, left.status]).toEqual(put.status === 201 ? [201, 200] : [200, 404]);
    const guarded = await Promise.all([isps.remove(partner_id), isps.remove(partner_id)]);
    expect(guarded.map(({ status }) => status).sort()).toEqual(left.status === 200 ? [204, 404] : [404, 404]);
  }
});

test('reading and writing need different scopes', async () => {
  const [reader, writer] = [
    registryOf(await service.as({ scope: 'events:read' })),
    registryOf(await service.as({ scope: 'events:write' })),
  ];
  expect([(await reader.get()).status, (await reader.post()).status]).toEqual([200, 403]);
  const { partner_id } = (await writer.post()).body;
  expect([(await writer.get(partner_id)).status, (await reader.get(partner_id)).status]).toEqual([403, 200]);
  expect([(await reader.remove(partner_id)).status, (await writer.remove(partner_id)).status]).toEqual([403, 204]);
});
