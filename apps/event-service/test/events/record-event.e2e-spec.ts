import type { TestService } from '@fibre/testing';
import { activation, EVENTS, type Events, newEntity, notification, READ_WRITE, requestsOf, startEvents } from './events.js';

let service: TestService;
let put: Events['put'];
let get: Events['get'];
let record: Events['record'];

beforeAll(async () => {
  ({ service, put, get, record } = await startEvents());
});
afterAll(() => service.close());

describe('a new event', () => {
  test('returns the whole event and its path, and a read returns the same', async () => {
    const entity = newEntity();
    const response = await put(
      activation(entity.toUpperCase(), 1, {
        sys_attributes: {
          partner_id: 'ABCDEFAB-1111-4111-8111-111111111111',
          article_codes: ['B', 'A'],
          option82: 'x',
          partner_reference: 'y',
        },
        usr_reference: 'my-1',
        usr_attributes: { n: 1.5, list: [1, null, 'é'] },
        comment: 'hello',
      }),
    );
    expect(response.status).toBe(201);
    expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(response.body).toEqual({
      event_id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
      entity_id: entity,
      event_type: 'activation',
      event_at: '2026-01-01T11:00:00.000+00:00',
      event_timezone: 'Europe/Vienna',
      sys_attributes: {
        partner_id: 'abcdefab-1111-4111-8111-111111111111',
        article_codes: ['B', 'A'],
        option82: 'x',
        partner_reference: 'y',
      },
      usr_reference: 'my-1',
      usr_attributes: { n: 1.5, list: [1, null, 'é'] },
      comment: 'hello',
      tenant: 'ano.test',
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/),
      created_by: 'client',
      modified_at: response.body.created_at,
    });
    expect(response.headers.location).toBe(`${EVENTS}${response.body.event_id}/`);
    const read = await get(`${(response.body.event_id as string).toUpperCase()}/`);
    expect([read.status, read.body]).toEqual([200, response.body]);
  });

  test('omits what is not set', async () => {
    const response = await put(
      notification(newEntity(), 1, { sys_attributes: {}, usr_reference: null, usr_attributes: null, comment: null, event_timezone: null }),
    );
    expect(Object.keys(response.body as object)).toEqual([
      'event_id',
      'entity_id',
      'event_type',
      'event_at',
      'event_timezone',
      'tenant',
      'created_at',
      'created_by',
      'modified_at',
    ]);
  });

  test('does not exist for another tenant', async () => {
    const [id] = await record(activation(newEntity(), 1));
    const other = requestsOf(await service.as({ ...READ_WRITE, tenant: 'ano.other' }));
    const [theirs, nobodys] = [await other.get(id), await other.get('00000000-0000-7000-8000-000000000000')];
    expect([theirs.status, theirs.body.code, nobodys.status, nobodys.body.code]).toEqual([404, 'not-found', 404, 'not-found']);
  });
});

describe('a repeated request', () => {
  test('with the same user attributes gets 200 and writes nothing', async () => {
    const body = activation(newEntity(), 1, { usr_attributes: { a: 1, b: { c: [1, 2] } }, comment: 'x' });
    const first = await put(body);
    const repeats = [
      body,
      { ...body, usr_attributes: { b: { c: [1.0, 2] }, a: 1 } },
      { ...body, event_at: '2026-01-01T11:00:00.000000Z', event_timezone: 'UTC' },
      { ...body, sys_attributes: { article_codes: ['FIBRE-100'], partner_id: '11111111-1111-4111-8111-111111111111', option82: null } },
      { ...body, usr_reference: null },
    ];
    for (const repeat of repeats) {
      const response = await put(repeat);
      expect([response.status, response.body]).toEqual([200, first.body]);
      expect(response.headers.location).toBeUndefined();
    }
  });

  test('with other user attributes gets 201, and replaces all of them', async () => {
    const body = activation(newEntity(), 1, { usr_reference: 'r', usr_attributes: { a: 1 }, comment: 'x' });
    const first = (await put(body)).body;
    const changes = [
      { comment: 'y' },
      { comment: undefined },
      { usr_attributes: { a: 2 } },
      { usr_attributes: {} },
      { usr_attributes: undefined, usr_reference: 's' },
    ];
    let before = first;
    for (const change of changes) {
      const wanted = { ...body, ...change };
      const response = await put(wanted);
      const { usr_reference, usr_attributes, comment } = wanted as Record<string, unknown>;
      const { usr_reference: _r, usr_attributes: _a, comment: _c, ...core } = first;
      expect([response.status, response.body]).toEqual([
        201,
        JSON.parse(
          JSON.stringify({
            ...core,
            usr_reference,
            usr_attributes,
            comment,
            modified_at: response.body.modified_at,
            modified_by: 'client',
          }),
        ),
      ]);
      expect(response.body.modified_at > before.modified_at).toBe(true);
      expect((await get(first.event_id)).body).toEqual(response.body);
      expect((await put(wanted)).status).toBe(200);
      before = response.body;
    }
  });

  test('for a notification is one with the same content, so many notifications may have the same instant', async () => {
    const entity = newEntity();
    const contents = [undefined, { option82: 'a' }, { option82: 'b' }, { article_codes: ['a', 'b'] }, { article_codes: ['b', 'a'] }];
    const ids = await record(...contents.map((sys_attributes) => notification(entity, 1, { sys_attributes })));
    expect(new Set(ids).size).toBe(contents.length);
    const again = await put(notification(entity, 1, { sys_attributes: { option82: 'b' } }));
    expect([again.status, again.body.event_id]).toEqual([200, ids[2]]);
    expect((await put(notification(entity, 1, { sys_attributes: {} }))).body.event_id).toBe(ids[0]);
  });
});
