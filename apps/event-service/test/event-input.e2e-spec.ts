import type { TestService } from '@fibre/testing';
import { activation, deactivation, EVENTS, newEntity, notification, offenders, PARTNER, startEvents, update } from './events.js';

let service: TestService;
let client: Awaited<ReturnType<typeof startEvents>>['client'];
let put: Awaited<ReturnType<typeof startEvents>>['put'];
let get: Awaited<ReturnType<typeof startEvents>>['get'];

beforeAll(async () => {
  ({ service, client, put, get } = await startEvents());
});
afterAll(() => service.close());

const raw = (text: string) => client.put(EVENTS).set('content-type', 'application/json').send(text);
const withUsr = (json: string): string => JSON.stringify(notification(newEntity(), 1)).replace(/}$/, `,"usr_attributes":${json}}`);
const nested = (levels: number): string => '{"a":'.repeat(levels - 1) + '{}' + '}'.repeat(levels - 1);

/** Sends an invalid body and gives what the refusal names. */
async function refused(body: Record<string, unknown>): Promise<string[]> {
  const response = await put(body);
  expect([response.status, response.body.code]).toEqual([422, 'invalid-request']);
  return offenders(response);
}

test('every offender is named at once', async () => {
  const response = await client
    .put(`${EVENTS}?dry_run=1`)
    .set('namespace', 'no good')
    .send({
      entity_id: '1',
      event_type: 'update',
      event_at: '2026-01-01',
      event_timezone: 'europe/vienna',
      sys_attributes: { partner_id: 'x', article_codes: ['ok', '', 5, 'x'.repeat(65)], option82: '', more: 1, 'a/b~c': 2 },
      usr_reference: '',
      usr_attributes: [],
      comment: 'x'.repeat(4_001),
      event_id: '1',
      constructor: 1,
    });
  expect(response.status).toBe(422);
  expect(offenders(response).sort()).toEqual(
    [
      ...[
        'dry_run',
        'namespace',
        '#/entity_id',
        '#/event_at',
        '#/event_timezone',
        '#/usr_reference',
        '#/usr_attributes',
        '#/comment',
        '#/event_id',
        '#/constructor',
      ],
      ...['#/sys_attributes/partner_id', '#/sys_attributes/option82', '#/sys_attributes/more', '#/sys_attributes/a~1b~0c'],
      ...['#/sys_attributes/article_codes/1', '#/sys_attributes/article_codes/2', '#/sys_attributes/article_codes/3'],
    ].sort(),
  );
});

test('required members', async () => {
  expect((await refused({})).sort()).toEqual(['#/entity_id', '#/event_at', '#/event_type']);
  expect(await refused({ ...activation(newEntity(), 1), sys_attributes: undefined })).toEqual(['#/sys_attributes']);
  expect(await refused({ ...activation(newEntity(), 1), sys_attributes: null })).toEqual(['#/sys_attributes']);
  expect((await refused({ ...activation(newEntity(), 1), sys_attributes: {} })).sort()).toEqual([
    '#/sys_attributes/article_codes',
    '#/sys_attributes/partner_id',
  ]);
  expect(await refused({ ...update(newEntity(), 1), sys_attributes: {} })).toEqual(['#/sys_attributes/article_codes']);
  for (const entity_id of [null, 1, 'x', {}, []])
    expect(await refused({ ...notification(newEntity(), 1), entity_id })).toEqual(['#/entity_id']);
  for (const event_type of [null, 1, 'Activation', 'delete', ['update']])
    expect(await refused({ ...activation(newEntity(), 1), event_type })).toEqual(['#/event_type']);
});

describe('sys_attributes', () => {
  test('belong to the type', async () => {
    const partner = { partner_id: '11111111-1111-4111-8111-111111111111' };
    expect(await refused(update(newEntity(), 1, { sys_attributes: { ...partner, article_codes: ['a'] } }))).toEqual([
      '#/sys_attributes/partner_id',
    ]);
    for (const sys_attributes of [{}, { article_codes: ['a'] }, 'x'])
      expect(await refused(deactivation(newEntity(), 1, { sys_attributes }))).toEqual(['#/sys_attributes']);
    expect((await put(deactivation(newEntity(), 1, { sys_attributes: null }))).body.code).toBe('event-order');
    for (const sys_attributes of [partner, { article_codes: ['a'] }, { option82: 'x' }, { partner_reference: 'x' }]) {
      expect((await put(notification(newEntity(), 1, { sys_attributes }))).status).toBe(201);
    }
    for (const sys_attributes of [[], 'x', 1, true])
      expect(await refused(notification(newEntity(), 1, { sys_attributes }))).toEqual(['#/sys_attributes']);
    expect(
      await refused(notification(newEntity(), 1, { sys_attributes: JSON.parse('{"__proto__":1,"constructor":{}}') as object })),
    ).toEqual(['#/sys_attributes/__proto__', '#/sys_attributes/constructor']);
  });

  test('have bounds, counted in code points', async () => {
    const codes = (article_codes: unknown) => update(newEntity(), 1, { sys_attributes: { article_codes } });
    for (const bad of [[], Array.from({ length: 65 }, () => 'a'), 'a', {}, null])
      expect(await refused(codes(bad))).toEqual(['#/sys_attributes/article_codes']);
    expect(await refused(codes([null, '😀'.repeat(65), 'a\0', '\ud800', '😀'.repeat(64)]))).toEqual(
      [0, 1, 2, 3].map((index) => `#/sys_attributes/article_codes/${index}`),
    );
    const longest = {
      article_codes: Array.from({ length: 64 }, () => '😀'.repeat(64)),
      option82: '😀'.repeat(255),
      partner_reference: '😀'.repeat(255),
    };
    expect((await put(notification(newEntity(), 1, { sys_attributes: longest }))).body.sys_attributes).toEqual(longest);
    const tooLong = { option82: 'x'.repeat(256), partner_reference: 'x'.repeat(256) };
    expect(await refused(notification(newEntity(), 1, { sys_attributes: tooLong }))).toEqual([
      '#/sys_attributes/option82',
      '#/sys_attributes/partner_reference',
    ]);
  });
});

test('a flood of unknown sys_attributes, or a very long one, is refused in few words', async () => {
  const floods = [Object.fromEntries(Array.from({ length: 60_000 }, (_, index) => [`x${index}`, 0])), { ['x'.repeat(1_000_000)]: 0 }];
  for (const flood of floods) {
    const response = await put(activation(newEntity(), 1, { sys_attributes: { ...flood, partner_id: PARTNER, article_codes: ['a'] } }));
    expect([response.status, response.text.length < 65_536]).toEqual([422, true]);
  }
});

describe('usr_attributes', () => {
  test('come back as the JSON value they were', async () => {
    const json =
      '{"__proto__":{"x":1},"constructor":{"prototype":[]},"toString":"t","toJSON":"j","":0,"a b/c~d\\u0001":"\\u2028\\"\\\\","n":[0,-1,1.5e300,5e-324,1e21,true,null]}';
    const response = await raw(withUsr(json));
    expect(response.status).toBe(201);
    expect(JSON.stringify(response.body.usr_attributes, sorted)).toBe(JSON.stringify(JSON.parse(json), sorted));
    expect((await get(response.body.event_id)).text).toBe(response.text);
    const listed = await get(`?entity_id=${response.body.entity_id}`);
    expect(listed.text).toBe(`[${response.text}]`);
  });

  test('are refused where they would not', async () => {
    for (const json of [
      '{"a":1e400}',
      '{"a":[-1e400]}',
      '{"a":12345678901234567890}',
      '{"a":0.1234567890123456789}',
      '{"a":"\\u0000"}',
      '{"a":{"\\u0000":1}}',
      '{"a":["\\ud800"]}',
      '{"\\udc00":1}',
    ]) {
      const response = await raw(withUsr(json));
      expect([json, response.status, ...offenders(response)]).toEqual([json, 422, '#/usr_attributes']);
    }
  });

  test('have 16 KiB and 8 levels at most', async () => {
    const filled = (bytes: number): string => JSON.stringify({ a: 'é'.repeat((bytes - 8) / 2) });
    expect([Buffer.byteLength(filled(16_384)), (await raw(withUsr(filled(16_384)))).status]).toEqual([16_384, 201]);
    expect(offenders(await raw(withUsr(filled(16_386))))).toEqual(['#/usr_attributes']);
    expect((await raw(withUsr(`{ "a" : "${' '.repeat(16_376)}" }`))).status).toBe(201);
    expect([(await raw(withUsr(nested(8)))).status, (await raw(withUsr(nested(9)))).status]).toEqual([201, 422]);
    expect((await raw(withUsr('{"a":[[[[[[[]]]]]]]}'))).status).toBe(201);
    expect(offenders(await raw(withUsr(nested(30))))).toEqual(['#/usr_attributes']);
    for (const deep of [nested(50_000), `{"a":${'['.repeat(400_000)}${']'.repeat(400_000)}}`]) {
      expect((await raw(withUsr(deep))).body.code).toBe('malformed-request');
    }
    for (const value of ['[]', '"x"', '1', 'true']) expect(offenders(await raw(withUsr(value)))).toEqual(['#/usr_attributes']);
  });
});

test('strings are bounded and stored as they are', async () => {
  const strings = { usr_reference: '😀'.repeat(255), comment: '\u0001é😀"\\\u2028'.repeat(571) };
  const response = await put(notification(newEntity(), 1, strings));
  expect([response.status, response.body]).toEqual([201, expect.objectContaining(strings)]);
  for (const bad of ['', 'x'.repeat(256), 'a\0', '\udc00', 1, {}])
    expect(await refused(notification(newEntity(), 1, { usr_reference: bad }))).toEqual(['#/usr_reference']);
  for (const bad of ['', 'x'.repeat(4_001), 'a\0', '\ud800', 1, []])
    expect(await refused(notification(newEntity(), 1, { comment: bad }))).toEqual(['#/comment']);
});

describe('event_at and event_timezone', () => {
  const at = (event_at: string, event_timezone?: string) => notification(newEntity(), 1, { event_at, event_timezone });

  test('an offset that the zone does not have is refused, and the right one stated', async () => {
    const cases: [string, string | undefined, string][] = [
      ['2026-07-01T12:00:00+01:00', undefined, '+02:00'],
      ['2026-01-01T12:00:00Z', undefined, '+01:00'],
      ['2026-03-29T02:30:00+01:00', 'Europe/Vienna', '+02:00'],
      ['2026-07-01T12:00:00+05:00', 'Asia/Calcutta', '+05:30'],
      ['1850-01-01T12:00:00+01:05', 'Europe/Vienna', '+01:05:21'],
    ];
    for (const [event_at, zone, expected] of cases) {
      const response = await put(at(event_at, zone));
      expect([response.status, ...offenders(response)]).toEqual([422, '#/event_at']);
      expect(response.body.errors[0].detail).toContain(`${expected} at that instant`);
    }
  });

  test('links are kept as sent, and the doubled hour has two instants', async () => {
    for (const zone of ['Asia/Calcutta', 'Asia/Kolkata']) {
      const response = await put(at('2026-07-01T12:00:00+05:30', zone));
      expect([response.status, response.body.event_timezone, response.body.event_at]).toEqual([201, zone, '2026-07-01T06:30:00.000+00:00']);
    }
    for (const [offset, utc] of [
      ['+02:00', '00'],
      ['+01:00', '01'],
    ]) {
      expect((await put(at(`2026-10-25T02:30:00${offset}`))).body.event_at).toBe(`2026-10-25T${utc}:30:00.000+00:00`);
    }
    expect(await refused(at('2026-07-01T12:00:00+02:00', 'europe/vienna'))).toEqual(['#/event_timezone']);
  });

  test('microseconds are kept, and what is read can be sent again', async () => {
    const shown = {
      '.1': '.100',
      '.123': '.123',
      '.1234': '.123400',
      '.123456': '.123456',
      '.000001': '.000001',
      '.999999': '.999999',
      '.120000': '.120',
    };
    for (const [sent, expected] of Object.entries(shown)) {
      const body = at(`2026-02-01T16:00:00${sent}+01:00`);
      const first = await put(body);
      expect(first.body.event_at).toBe(`2026-02-01T15:00:00${expected}+00:00`);
      const again = await put({ ...body, event_at: first.body.event_at, event_timezone: 'UTC' });
      expect([again.status, again.body]).toEqual([200, first.body]);
    }
  });

  test('the first and the last year', async () => {
    for (const [sent, expected] of [
      ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000+00:00'],
      ['9999-12-31T23:59:59.999999Z', '9999-12-31T23:59:59.999999+00:00'],
    ]) {
      const response = await put(at(sent!, 'UTC'));
      expect([response.status, response.body.event_at]).toEqual([201, expected]);
    }
    for (const sent of ['0000-12-31T23:59:59Z', '0001-01-01T00:00:00+05:30', '9999-12-31T23:59:59-05:00'])
      expect(await refused(at(sent, 'Etc/GMT+5'))).toContain('#/event_at');
  });
});

test('what cannot be parsed is 400, and it comes before 422', async () => {
  for (const text of ['', '{', '[]', '1', 'null', '{"a":1}x']) expect([text, (await raw(text)).status]).toEqual([text, 400]);
  expect((await client.put(EVENTS).set('content-type', 'text/plain').send('{}')).status).toBe(415);
  expect((await raw(`{"comment":"${'x'.repeat(1_048_576)}"}`)).status).toBe(413);
  expect((await client.put(`${EVENTS}?x=1`).set('content-type', 'application/json').send('{')).status).toBe(400);
  expect((await client.get(`${EVENTS}%ff`)).status).toBe(400);
  expect(offenders(await get('LATEST'))).toEqual(['event_id']);
  expect(offenders(await get('00000000-0000-0000-0000-000000000000?x=1'))).toEqual(['x']);
  expect((await get('ffffffff-ffff-ffff-ffff-ffffffffffff')).status).toBe(404);
});

/** Members in one order, `__proto__` among them. */
const sorted = (_key: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.entries(value)
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([key, member]) => [key, member as unknown])
    : value;
