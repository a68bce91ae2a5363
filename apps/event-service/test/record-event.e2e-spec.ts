import type { TestService } from '@fibre/testing';
import { activation, deactivation, EVENTS, newEntity, notification, READ_WRITE, requestsOf, startEvents, update } from './events.js';

let service: TestService;
let put: Awaited<ReturnType<typeof startEvents>>['put'];
let get: Awaited<ReturnType<typeof startEvents>>['get'];

beforeAll(async () => {
  ({ service, put, get } = await startEvents());
});
afterAll(() => service.close());

/** Records a timeline and gives the ids of its events. */
async function recorded(...bodies: Record<string, unknown>[]): Promise<string[]> {
  const ids: string[] = [];
  for (const body of bodies) {
    const response = await put(body);
    expect([response.status, response.text]).toEqual([201, expect.any(String)]);
    ids.push(response.body.event_id as string);
  }
  return ids;
}

describe('a new event', () => {
  test('is answered whole, with its path, and read back as it was answered', async () => {
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
      modified_at: response.body.created_at,
    });
    expect(response.headers.location).toBe(`${EVENTS}${response.body.event_id}/`);
    const read = await get(`${(response.body.event_id as string).toUpperCase()}/`);
    expect([read.status, read.body]).toEqual([200, response.body]);
  });

  test('leaves out what is not set', async () => {
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
      'modified_at',
    ]);
  });

  test('is not there for another tenant', async () => {
    const [id] = await recorded(activation(newEntity(), 1));
    const other = requestsOf(await service.as({ ...READ_WRITE, tenant: 'ano.other' }));
    const [theirs, nobodys] = [await other.get(id), await other.get('00000000-0000-7000-8000-000000000000')];
    expect([theirs.status, theirs.body.code, nobodys.status, nobodys.body.code]).toEqual([404, 'not-found', 404, 'not-found']);
  });
});

describe('a repeat', () => {
  test('with the same user attributes is 200 and writes nothing', async () => {
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

  test('with other user attributes overwrites them as a whole and is 201', async () => {
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
        JSON.parse(JSON.stringify({ ...core, usr_reference, usr_attributes, comment, modified_at: response.body.modified_at })),
      ]);
      expect(response.body.modified_at > before.modified_at).toBe(true);
      expect((await get(first.event_id)).body).toEqual(response.body);
      expect((await put(wanted)).status).toBe(200);
      before = response.body;
    }
  });

  test('of a notification differs by its content, many at one instant', async () => {
    const entity = newEntity();
    const contents = [undefined, { option82: 'a' }, { option82: 'b' }, { article_codes: ['a', 'b'] }, { article_codes: ['b', 'a'] }];
    const ids = await recorded(...contents.map((sys_attributes) => notification(entity, 1, { sys_attributes })));
    expect(new Set(ids).size).toBe(contents.length);
    const again = await put(notification(entity, 1, { sys_attributes: { option82: 'b' } }));
    expect([again.status, again.body.event_id]).toEqual([200, ids[2]]);
    expect((await put(notification(entity, 1, { sys_attributes: {} }))).body.event_id).toBe(ids[0]);
  });
});

describe('the order', () => {
  test('of a life: activation, updates, deactivation, and again', async () => {
    const entity = newEntity();
    await recorded(
      activation(entity, 1),
      update(entity, 2),
      update(entity, 3),
      deactivation(entity, 4),
      activation(entity, 5),
      deactivation(entity, 6),
    );
  });

  test('refuses what does not follow, and names the neighbours', async () => {
    const entity = newEntity();
    const first = await put(update(entity, 5));
    expect([first.status, first.body.code, first.body.conflicts_with]).toEqual([409, 'event-order', []]);
    const [start, end] = await recorded(activation(entity, 5), deactivation(entity, 9));
    const [before, after] = [
      { event_id: start, event_type: 'activation', event_at: '2026-01-05T11:00:00.000+00:00' },
      { event_id: end, event_type: 'deactivation', event_at: '2026-01-09T11:00:00.000+00:00' },
    ];
    const refused: [Record<string, unknown>, object[]][] = [
      [activation(entity, 7), [before, after]],
      [deactivation(entity, 7), [before, after]],
      [update(entity, 10), [after]],
      [deactivation(entity, 10), [after]],
      [activation(entity, 4), [before]],
      [update(entity, 4), [before]],
      [deactivation(entity, 4), [before]],
    ];
    for (const [body, neighbours] of refused) {
      const response = await put(body);
      expect([response.status, response.body.code, response.body.conflicts_with]).toEqual([409, 'event-order', neighbours]);
      expect(response.headers['content-type']).toBe('application/problem+json');
    }
    expect((await put(activation(entity, 10, {}))).status).toBe(201);
  });

  test('allows an insertion into the past that keeps it', async () => {
    const entity = newEntity();
    await recorded(activation(entity, 1), deactivation(entity, 20), update(entity, 10), update(entity, 5));
    expect((await put(deactivation(entity, 7))).status).toBe(409);
    // Whole lives before the first one: backwards, for each step has to be legal.
    const early = newEntity();
    await recorded(activation(early, 20));
    expect((await put(deactivation(early, 10))).body.code).toBe('event-order');
  });

  test('does not mind notifications', async () => {
    const entity = newEntity();
    await recorded(
      notification(entity, 1),
      activation(entity, 2),
      notification(entity, 2),
      notification(entity, 3),
      deactivation(entity, 4),
      notification(entity, 5),
    );
    await recorded(notification(entity, 1, { event_at: '2126-01-01T00:00:00+01:00' }));
  });

  test('has one lifecycle event at an instant', async () => {
    const entity = newEntity();
    const [id] = await recorded(activation(entity, 1));
    const taken = [
      activation(entity, 1, { sys_attributes: { partner_id: '11111111-1111-4111-8111-111111111111', article_codes: ['other'] } }),
      update(entity, 1),
      deactivation(entity, 1, { event_at: '2026-01-01T13:00:00+02:00', event_timezone: 'Europe/Helsinki' }),
    ];
    for (const body of taken) {
      const response = await put(body);
      expect([response.status, response.body.code]).toEqual([409, 'event-time-taken']);
      expect(response.body.conflicts_with).toEqual([{ event_id: id, event_type: 'activation', event_at: '2026-01-01T11:00:00.000+00:00' }]);
    }
    expect((await put(update(entity, 1, { event_at: '2026-01-01T12:00:00.000001+01:00' }))).status).toBe(201);
  });
});

test('a lifecycle event must not lie in the future', async () => {
  const HOUR_MS = 3_600_000;
  const entity = newEntity();
  const at = (offsetMs: number): Record<string, unknown> => ({
    event_at: new Date(Date.now() + offsetMs).toISOString(),
    event_timezone: 'UTC',
  });
  for (const body of [activation(entity, 1, at(HOUR_MS)), update(entity, 1, at(HOUR_MS)), deactivation(entity, 1, at(HOUR_MS))]) {
    const response = await put(body);
    expect([response.status, response.body.code, response.body.errors[0].pointer]).toEqual([422, 'event-in-future', '#/event_at']);
  }
  expect((await put(activation(entity, 1, at(0)))).status).toBe(201);
});
