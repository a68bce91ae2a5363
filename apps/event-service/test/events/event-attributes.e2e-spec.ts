import type { TestService } from '@fibre/testing';
import { activation, deactivation, type Events, newEntity, notification, offenders, PARTNER, startEvents, update } from './events.js';

let service: TestService;
let put: Events['put'];
let putText: Events['putText'];
let get: Events['get'];
let refused: Events['refused'];

beforeAll(async () => {
  ({ service, put, putText, get, refused } = await startEvents());
});
afterAll(() => service.close());

describe('sys_attributes', () => {
  test('must be allowed for the event type', async () => {
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

  test('have limits, counted in code points', async () => {
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

test('a request with many unknown sys_attributes, or a very long one, gets a short error', async () => {
  const floods = [Object.fromEntries(Array.from({ length: 60_000 }, (_, index) => [`x${index}`, 0])), { ['x'.repeat(1_000_000)]: 0 }];
  for (const flood of floods) {
    const response = await put(activation(newEntity(), 1, { sys_attributes: { ...flood, partner_id: PARTNER, article_codes: ['a'] } }));
    expect([response.status, response.text.length < 65_536]).toEqual([422, true]);
  }
});

describe('usr_attributes', () => {
  const putUsr = (json: string) => putText(JSON.stringify(notification(newEntity(), 1)).replace(/}$/, `,"usr_attributes":${json}}`));
  const nested = (levels: number): string => '{"a":'.repeat(levels - 1) + '{}' + '}'.repeat(levels - 1);

  test('are returned as the same JSON value', async () => {
    const json =
      '{"__proto__":{"x":1},"constructor":{"prototype":[]},"toString":"t","toJSON":"j","":0,"a b/c~d\\u0001":"\\u2028\\"\\\\","n":[0,-1,1.5e300,5e-324,1e21,true,null]}';
    const response = await putUsr(json);
    expect(response.status).toBe(201);
    expect(JSON.stringify(response.body.usr_attributes, sorted)).toBe(JSON.stringify(JSON.parse(json), sorted));
    expect((await get(response.body.event_id)).text).toBe(response.text);
    const listed = await get(`?entity_id=${response.body.entity_id}`);
    expect(listed.text).toBe(`[${response.text}]`);
  });

  test('are rejected if they could not be returned as the same JSON value', async () => {
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
      const response = await putUsr(json);
      expect([json, response.status, ...offenders(response)]).toEqual([json, 422, '#/usr_attributes']);
    }
  });

  test('are limited to 16 KiB and 8 levels', async () => {
    const filled = (bytes: number): string => JSON.stringify({ a: 'é'.repeat((bytes - 8) / 2) });
    expect([Buffer.byteLength(filled(16_384)), (await putUsr(filled(16_384))).status]).toEqual([16_384, 201]);
    expect(offenders(await putUsr(filled(16_386)))).toEqual(['#/usr_attributes']);
    expect((await putUsr(`{ "a" : "${' '.repeat(16_376)}" }`)).status).toBe(201);
    expect([(await putUsr(nested(8))).status, (await putUsr(nested(9))).status]).toEqual([201, 422]);
    expect((await putUsr('{"a":[[[[[[[]]]]]]]}')).status).toBe(201);
    expect(offenders(await putUsr(nested(30)))).toEqual(['#/usr_attributes']);
    for (const deep of [nested(50_000), `{"a":${'['.repeat(400_000)}${']'.repeat(400_000)}}`]) {
      expect((await putUsr(deep)).body.code).toBe('malformed-request');
    }
    for (const value of ['[]', '"x"', '1', 'true']) expect(offenders(await putUsr(value))).toEqual(['#/usr_attributes']);
  });
});

/** Sorts the members of objects, including `__proto__`. */
const sorted = (_key: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.entries(value)
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([key, member]) => [key, member as unknown])
    : value;
