import type { TestService } from '@fibre/testing';
import { activation, EVENTS, type Events, newEntity, notification, offenders, startEvents, update } from './events.js';

let service: TestService;
let client: Events['client'];
let put: Events['put'];
let putText: Events['putText'];
let get: Events['get'];
let refused: Events['refused'];

beforeAll(async () => {
  ({ service, client, put, putText, get, refused } = await startEvents());
});
afterAll(() => service.close());

test('an error lists every invalid part at once', async () => {
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
      '#/sys_attributes/partner_id',
      '#/sys_attributes/option82',
      '#/sys_attributes/more',
      '#/sys_attributes/a~1b~0c',
      '#/sys_attributes/article_codes/1',
      '#/sys_attributes/article_codes/2',
      '#/sys_attributes/article_codes/3',
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

test('strings have limits and are stored unchanged', async () => {
  const strings = { usr_reference: '😀'.repeat(255), comment: '\u0001é😀"\\\u2028'.repeat(571) };
  const response = await put(notification(newEntity(), 1, strings));
  expect([response.status, response.body]).toEqual([201, expect.objectContaining(strings)]);
  for (const bad of ['', 'x'.repeat(256), 'a\0', '\udc00', 1, {}])
    expect(await refused(notification(newEntity(), 1, { usr_reference: bad }))).toEqual(['#/usr_reference']);
  for (const bad of ['', 'x'.repeat(4_001), 'a\0', '\ud800', 1, []])
    expect(await refused(notification(newEntity(), 1, { comment: bad }))).toEqual(['#/comment']);
});

test('a body that cannot be parsed gets 400, which comes before 422', async () => {
  for (const text of ['', '{', '[]', '1', 'null', '{"a":1}x']) expect([text, (await putText(text)).status]).toEqual([text, 400]);
  expect((await client.put(EVENTS).set('content-type', 'text/plain').send('{}')).status).toBe(415);
  expect((await putText(`{"comment":"${'x'.repeat(1_048_576)}"}`)).status).toBe(413);
  expect((await client.put(`${EVENTS}?x=1`).set('content-type', 'application/json').send('{')).status).toBe(400);
  expect((await client.get(`${EVENTS}%ff`)).status).toBe(400);
  expect(offenders(await get('LATEST'))).toEqual(['event_id']);
  expect(offenders(await get('00000000-0000-0000-0000-000000000000?x=1'))).toEqual(['x']);
  expect((await get('ffffffff-ffff-ffff-ffff-ffffffffffff')).status).toBe(404);
});
