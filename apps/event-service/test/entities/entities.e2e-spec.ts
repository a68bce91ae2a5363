import { randomUUID } from 'node:crypto';
import type { TestService } from '@fibre/testing';
import type { Response } from 'supertest';
import { WINDOW } from '../../src/entities/entity-list.sql.js';
import {
  activation,
  append,
  deactivation,
  ENTITIES,
  newEntity,
  newTenant,
  notification,
  offenders,
  PARTNER,
  READ_WRITE,
  requestsOf,
  sql,
  startEvents,
  update,
  wrongRecords,
  wrongStates,
} from '../events/events.js';
import { nextOf } from '../service/pages.js';

let service: TestService;

beforeAll(async () => {
  ({ service } = await startEvents());
});
afterAll(async () => {
  expect([await wrongStates(service.databaseUrl), await wrongRecords(service.databaseUrl)]).toEqual([[], []]);
  await service.close();
});

const OTHER_PARTNER = '22222222-2222-4222-8222-222222222222';
const day = (number: number): string => `2026-01-${String(number).padStart(2, '0')}T11:00:00.000+00:00`;
const ids = ({ status, body }: Response): string[] => {
  expect([status, body]).toEqual([200, expect.any(Array)]);
  return (body as { entity_id: string }[]).map(({ entity_id }) => entity_id);
};
const sys = (members: object): { sys_attributes: object } => ({ sys_attributes: members });

describe('an entity', () => {
  test('has the state of its last lifecycle event by event_at', async () => {
    const { entities, get, record } = await newTenant(service);
    const entity = newEntity();
    const state = async () => (await entities(`${entity}/`)).body as Record<string, unknown>;

    const [first] = await record(notification(entity, 5));
    const { created_at } = (await get(`${first}/`)).body as { created_at: string };
    expect(await state()).toEqual({
      entity_id: entity,
      state: 'announced',
      since: day(5),
      last_event_id: first,
      tenant: expect.any(String) as string,
      created_at,
      modified_at: created_at,
      periods: [],
    });
    const [earlier] = await record(notification(entity, 3));
    expect(await state()).toMatchObject({ state: 'announced', since: day(3), last_event_id: earlier, created_at });

    await record(
      activation(entity, 10, sys({ partner_id: PARTNER, article_codes: ['A', 'B'], option82: 'port 1', partner_reference: 'ref 1' })),
    );
    const active = { state: 'active', since: day(10), partner_id: PARTNER };
    expect(await state()).toMatchObject({ ...active, article_codes: ['A', 'B'], option82: 'port 1', partner_reference: 'ref 1' });
    // Articles are replaced; members that an update does not contain keep their values.
    await record(update(entity, 20, sys({ article_codes: ['C'], option82: 'port 2' })));
    expect(await state()).toMatchObject({ ...active, article_codes: ['C'], option82: 'port 2', partner_reference: 'ref 1' });
    // An update inserted into the past only affects the members that no later event sets.
    await record(update(entity, 15, sys({ article_codes: ['X'], option82: 'port 0', partner_reference: 'ref 2' })));
    expect(await state()).toMatchObject({ ...active, article_codes: ['C'], option82: 'port 2', partner_reference: 'ref 2' });
    // Notifications never count.
    await record(notification(entity, 25, sys({ partner_id: OTHER_PARTNER, article_codes: ['N'], option82: 'n', partner_reference: 'n' })));
    expect(await state()).toMatchObject({ ...active, article_codes: ['C'], option82: 'port 2', partner_reference: 'ref 2' });

    expect(await state()).not.toHaveProperty('last_subscription');

    const [end] = await record(deactivation(entity, 28));
    const ended = await state();
    const last_subscription = { partner_id: PARTNER, option82: 'port 2', partner_reference: 'ref 2' };
    expect(ended).toMatchObject({ state: 'inactive', since: day(28), last_event_id: end, last_subscription });
    const listed = async (at = '') => ((await entities(at)).body as object[])[0];
    expect(await listed()).toMatchObject({ state: 'inactive', last_subscription });
    expect(await listed(`?at=${encodeURIComponent(day(28))}`)).toMatchObject({ state: 'inactive', last_subscription });
    // An update that is recorded late changes what the subscription had at its end.
    await record(update(entity, 26, sys({ article_codes: ['Y'], option82: 'port 4' })));
    const [now, then] = [await listed(), await listed(`?at=${encodeURIComponent(day(28))}`)];
    expect([now, then]).toEqual([now, now]);
    expect(now).toMatchObject({ state: 'inactive', last_subscription: { ...last_subscription, option82: 'port 4' } });
    for (const member of ['partner_id', 'article_codes', 'option82', 'partner_reference']) expect(ended).not.toHaveProperty(member);
    await record(activation(entity, 29));
    const again = await state();
    expect(again).toMatchObject({ state: 'active', since: day(29), partner_id: PARTNER, article_codes: ['FIBRE-100'], created_at });
    expect([again.option82, again.partner_reference, again.last_subscription]).toEqual([undefined, undefined, undefined]);
    // What is inserted into an earlier subscription does not apply to this one.
    await record(update(entity, 18, sys({ article_codes: ['X'], option82: 'port 3', partner_reference: 'ref 3' })));
    const still = await state();
    expect(still).toMatchObject({ state: 'active', since: day(29), article_codes: ['FIBRE-100'] });
    expect([still.option82, still.partner_reference]).toEqual([undefined, undefined]);
  });

  test('has a value that is recorded late, whatever a later notification names', async () => {
    const { entities, record } = await newTenant(service);
    const entity = newEntity();
    const named = sys({ option82: 'n', partner_reference: 'n' });
    await record(
      activation(entity, 1, sys({ partner_id: PARTNER, article_codes: ['A'], option82: 'port 1' })),
      notification(entity, 5, named),
      update(entity, 3, sys({ article_codes: ['B'] })),
      update(entity, 2, sys({ article_codes: ['C'], option82: 'port 2', partner_reference: 'ref 2' })),
    );
    const shown = { article_codes: ['B'], option82: 'port 2', partner_reference: 'ref 2' };
    expect((await entities(`${entity}/`)).body).toMatchObject(shown);
    expect((await entities()).body).toMatchObject([shown]);
  });

  test('was modified when one of its events was last recorded or overwritten', async () => {
    const { entities, put, record } = await newTenant(service);
    const entity = newEntity();
    const modified = async () => (await entities(`${entity}/`)).body.modified_at as string;
    await record(activation(entity, 1), update(entity, 2));
    const { modified_at: overwritten } = (await put(activation(entity, 1, { comment: 'changed' }))).body as { modified_at: string };
    expect(await modified()).toBe(overwritten);
    expect(ids(await entities())).toEqual([entity]);
    const { created_at: recorded } = (await put(update(entity, 3))).body as { created_at: string };
    expect(await modified()).toBe(recorded);
  });

  test('has periods with steps, each with the values that apply', async () => {
    const { entities, record } = await newTenant(service);
    const entity = newEntity();
    const [a, u, d, b, c] = await record(
      activation(entity, 1, sys({ partner_id: PARTNER, article_codes: ['A'], option82: 'port' })),
      update(entity, 2, sys({ article_codes: ['B', 'B'], partner_reference: 'r' })),
      deactivation(entity, 3),
      activation(entity, 4, sys({ partner_id: OTHER_PARTNER, article_codes: ['C'] })),
      update(entity, 6, { ...sys({ article_codes: ['D'] }), event_at: '2026-01-06T12:00:00.000001+01:00' }),
      notification(entity, 5),
    );
    expect(d).toBeDefined();
    const { body } = await entities(`${entity.toUpperCase()}`);
    expect(body.periods).toEqual([
      {
        from: day(1),
        to: day(3),
        partner_id: PARTNER,
        steps: [
          { from: day(1), article_codes: ['A'], option82: 'port', event_id: a },
          { from: day(2), article_codes: ['B', 'B'], option82: 'port', partner_reference: 'r', event_id: u },
        ],
      },
      {
        from: day(4),
        partner_id: OTHER_PARTNER,
        steps: [
          { from: day(4), article_codes: ['C'], event_id: b },
          { from: '2026-01-06T11:00:00.000001+00:00', article_codes: ['D'], event_id: c },
        ],
      },
    ]);
    expect(body).not.toHaveProperty('periods_truncated');
  });

  test('shows the state and periods at an instant, as they follow from its events up to that instant', async () => {
    const { entities, record } = await newTenant(service);
    const entity = newEntity();
    const single = async (at: string) => (await entities(`${entity}/?at=${encodeURIComponent(at)}`)).body as Record<string, unknown>;
    const [n, , a, u, , b] = await record(
      notification(entity, 1),
      notification(entity, 1, { event_at: '2026-01-01T18:00:00+01:00' }),
      activation(entity, 2, sys({ partner_id: PARTNER, article_codes: ['A'], option82: 'port' })),
      update(entity, 3, sys({ article_codes: ['B'] })),
      deactivation(entity, 4),
      activation(entity, 5, sys({ partner_id: OTHER_PARTNER, article_codes: ['C'] })),
    );
    const now = (await entities(`${entity}/`)).body as Record<string, unknown>;
    const recorded = { last_event_id: b, created_at: now['created_at'], modified_at: now['modified_at'] };
    const first = { from: day(2), article_codes: ['A'], option82: 'port', event_id: a };
    const second = { from: day(3), article_codes: ['B'], option82: 'port', event_id: u };

    expect(n).toBeDefined();
    expect(await single('2025-12-31T00:00:00+01:00')).toMatchObject({ status: 404, code: 'not-found' });
    expect(await single(day(1))).toMatchObject({ state: 'announced', since: day(1), periods: [], ...recorded });
    expect(await single('2026-01-01T20:00:00+01:00')).toMatchObject({ state: 'announced', since: day(1) });
    expect(await single(day(2))).toMatchObject({
      state: 'active',
      since: day(2),
      partner_id: PARTNER,
      article_codes: ['A'],
      option82: 'port',
      ...recorded,
      periods: [{ from: day(2), partner_id: PARTNER, steps: [first] }],
    });
    const running = { from: day(2), partner_id: PARTNER, steps: [first, second] };
    expect((await single(day(3)))['periods']).toEqual([running]);
    const ended = await single(day(4));
    expect(ended).toMatchObject({ state: 'inactive', since: day(4), periods: [{ ...running, to: day(4) }], ...recorded });
    expect(ended).not.toHaveProperty('partner_id');
    expect(await single(day(5))).toEqual(now);
    // The list shows the same state.
    for (const at of [1, 2, 3, 4, 5].map(day)) {
      const { periods: _periods, ...shown } = await single(at);
      expect((await entities(`?at=${encodeURIComponent(at)}`)).body).toEqual([shown]);
    }
  });

  test('shows the newest 1,000 steps', async () => {
    const { entities, record } = requestsOf(await service.as({ ...READ_WRITE, tenant: 'ano.steps' }));
    const entity = newEntity();
    const at = (second: number): { event_at: string } => ({
      event_at: new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString().replace('Z', '+00:00'),
    });
    const line = { event_timezone: 'UTC' };
    await record(activation(entity, 1, { ...line, ...at(0), ...sys({ partner_id: PARTNER, article_codes: ['A'], option82: 'port' }) }));
    await record(deactivation(entity, 1, { ...line, ...at(1) }));
    await record(activation(entity, 1, { ...line, ...at(2), ...sys({ partner_id: PARTNER, article_codes: ['A'], option82: 'port' }) }));
    const updates = Array.from({ length: 999 }, (_, index): [number, object] => [
      index + 3,
      update(entity, 1, { ...line, ...at(index + 3) }),
    ]);
    type Periods = { from: string; steps: { from: string; option82?: string }[] }[];
    // All of 1,000 steps are shown.
    await append(service.databaseUrl, 'ano.steps', updates.slice(0, -1));
    const all = (await entities(`${entity}/`)).body as { periods: Periods; periods_truncated?: boolean };
    expect([all.periods_truncated, all.periods.map(({ steps }) => steps.length)]).toEqual([undefined, [1, 999]]);
    await append(service.databaseUrl, 'ano.steps', updates.slice(-1));
    const full = (await entities(`${entity}/`)).body as { periods: Periods; periods_truncated?: boolean };
    expect([full.periods_truncated, full.periods.map(({ steps }) => steps.length)]).toEqual([true, [1_000]]);
    await record(update(entity, 1, { ...line, ...at(1_002) }));
    const { periods, periods_truncated } = (await entities(`${entity}/`)).body as typeof full;
    expect([periods_truncated, periods.length, periods[0]!.steps.length]).toEqual([true, 1, 1_000]);
    // The activation is not among the steps shown, but the start of the period and some values still come from it.
    expect([periods[0]!.from, periods[0]!.steps[0]]).toEqual([
      '2026-01-01T00:00:02.000+00:00',
      expect.objectContaining({ from: '2026-01-01T00:00:03.000+00:00', option82: 'port' }),
    ]);
  });
});

describe('the list', () => {
  test('has every entity with at least one event exactly once, ordered by entity, page by page', async () => {
    const { client, entities, record } = await newTenant(service);
    expect([(await entities()).body, (await entities()).headers['x-page-count']]).toEqual([[], '0']);
    const made = Array.from({ length: 5 }, newEntity).sort();
    await record(...made.map((entity) => activation(entity, 1)));
    const all = await entities();
    expect([ids(all), all.headers['x-page-count'], all.headers['x-page-size'], nextOf(all)]).toEqual([made, '1', '500', undefined]);
    const single = (await entities(`${made[0]}/`)).body as { periods?: unknown };
    delete single.periods;
    expect((all.body as unknown[])[0]).toEqual(single);

    const walked: string[] = [];
    for (let url: string | undefined = `${ENTITIES}?_page_size=2`; url !== undefined;) {
      const page: Response = await client.get(url);
      expect(page.headers['x-page-count']).toBe('3');
      walked.push(...ids(page));
      // Events recorded in the meantime do not move any entity.
      await record(notification(made[0]!, 2 + walked.length), notification(made[4]!, 2 + walked.length));
      url = nextOf(page)?.slice(service.url.length);
    }
    expect(walked).toEqual(made);
  });

  test('filters by state, and by partner and article of the current subscription', async () => {
    const { entities, record } = await newTenant(service);
    const [one, two, three, announced] = Array.from({ length: 4 }, newEntity).sort() as [string, string, string, string];
    await record(
      activation(one, 1, sys({ partner_id: PARTNER, article_codes: ['A', 'B'] })),
      activation(two, 1, sys({ partner_id: OTHER_PARTNER, article_codes: ['B', 'B'] })),
      activation(three, 1, sys({ partner_id: PARTNER, article_codes: ['A', 'C'] })),
      deactivation(three, 2),
      notification(announced, 1, sys({ partner_id: PARTNER, article_codes: ['A'] })),
    );
    const listed = async (query: string) => {
      const page = await entities(`?${query}`);
      expect(page.headers['x-page-count']).toBe(ids(page).length === 0 ? '0' : '1');
      return ids(page);
    };
    for (const at of ['', '&at=2026-01-09T00:00:00Z']) {
      expect(await listed(`state=active${at}`)).toEqual([one, two]);
      expect(await listed(`state=inactive${at}`)).toEqual([three]);
      expect(await listed(`state=announced${at}`)).toEqual([announced]);
      expect(await listed(`partner_id=${PARTNER.toUpperCase()}${at}`)).toEqual([one]);
      expect(await listed(`article_code=B${at}`)).toEqual([one, two]);
      expect(await listed(`article_code=b${at}`)).toEqual([]);
      expect(await listed(`article_code=C${at}`)).toEqual([]);
      expect(await listed(`article_code=B&partner_id=${OTHER_PARTNER}${at}`)).toEqual([two]);
      expect(await listed(`article_code=A&partner_id=${OTHER_PARTNER}${at}`)).toEqual([]);
      expect(await listed(`article_code=B&state=active${at}`)).toEqual([one, two]);
      expect(await listed(`article_code=B&state=inactive${at}`)).toEqual([]);
      expect(await listed(`partner_id=${PARTNER}&state=announced${at}`)).toEqual([]);
    }
    await record(update(one, 5, sys({ article_codes: ['C'] })));
    expect([await listed('article_code=A'), await listed('article_code=B'), await listed('article_code=C')]).toEqual([[], [two], [one]]);
    const first = await entities('?article_code=B&_page_size=1');
    expect([ids(first), nextOf(first)]).toEqual([[two], undefined]);
  });

  test('has an entity at the border of two windows once', async () => {
    const { client, record } = await newTenant(service);
    const last = `ffffffff-ffff-4fff-bfff-${newEntity().slice(-12)}`;
    await record(activation(last, 1, sys({ partner_id: PARTNER, article_codes: ['A'] })));
    await sql(
      service.databaseUrl,
      `insert into timeline select (copy).* from (
        select jsonb_populate_record(t, jsonb_build_object('entity_id', gen_random_uuid(), 'article_codes', jsonb_build_array('B'))) as copy
        from timeline t, generate_series(1, $2::int) where t.entity_id = $1) copies`,
      [last, WINDOW],
    );
    const walked: string[] = [];
    for (let url: string | undefined = `${ENTITIES}?article_code=A`; url !== undefined;) {
      const page: Response = await client.get(url);
      walked.push(...ids(page));
      url = nextOf(page)?.slice(service.url.length);
    }
    expect(walked).toEqual([last]);
    // The others have no events.
    const { tenant } = (await client.get(`${ENTITIES}${last}`)).body as { tenant: string };
    await sql(service.databaseUrl, 'delete from timeline where tenant = $1 and entity_id <> $2', [tenant, last]);
  });

  test('shows the states as of an instant, to the microsecond, without entities that had no events yet', async () => {
    const { entities, record } = await newTenant(service);
    const [entity, other] = Array.from({ length: 2 }, newEntity).sort() as [string, string];
    await record(
      notification(entity, 1),
      activation(entity, 2, sys({ partner_id: PARTNER, article_codes: ['A'], option82: 'port', partner_reference: 'r' })),
      update(entity, 3, sys({ article_codes: ['B'], option82: 'port 2' })),
      deactivation(entity, 4),
      activation(entity, 5, sys({ partner_id: OTHER_PARTNER, article_codes: ['C'] })),
      activation(other, 28),
    );
    const now = ((await entities()).body as Record<string, unknown>[])[0]!;
    const { last_event_id, tenant, created_at, modified_at } = now;
    const recorded = { entity_id: entity, last_event_id, tenant, created_at, modified_at };
    const at = async (text: string) => (await entities(`?at=${encodeURIComponent(text)}`)).body as unknown[];
    expect(await at('2026-01-01T11:59:59.999999+01:00')).toEqual([]);
    expect(await at('2026-01-01T12:00:00+01:00')).toEqual([{ ...recorded, state: 'announced', since: day(1) }]);
    const begun = { ...recorded, state: 'active', since: day(2), partner_id: PARTNER };
    const first = { ...begun, article_codes: ['A'], option82: 'port', partner_reference: 'r' };
    expect(await at('2026-01-02T12:00:00+01:00')).toEqual([first]);
    expect(await at('2026-01-03T10:59:59.999999Z')).toEqual([first]);
    expect(await at('2026-01-03T11:00:00Z')).toEqual([{ ...begun, article_codes: ['B'], option82: 'port 2', partner_reference: 'r' }]);
    const last_subscription = { partner_id: PARTNER, option82: 'port 2', partner_reference: 'r' };
    expect(await at('2026-01-04T11:00:00Z')).toEqual([{ ...recorded, state: 'inactive', since: day(4), last_subscription }]);
    expect((await at('2026-01-28T11:00:00Z')).length).toBe(2);
    expect((await at('2126-01-28T11:00:00Z'))[0]).toEqual(now);
    const paged = await entities('?at=2026-01-29T00:00:00Z&_page_size=1');
    expect([ids(paged), paged.headers['x-page-count'], nextOf(paged)]).toEqual([[entity], '2', expect.stringContaining('at=2026-01-29')]);
  });
});

describe('a request', () => {
  test('is rejected with a list of all its faults', async () => {
    const { entities } = await newTenant(service);
    const refused = async (query: string) => {
      const { status, body } = await entities(query);
      expect([status, body.code]).toEqual([422, 'invalid-request']);
      return offenders({ body } as Response).sort();
    };
    expect(await refused('?stat=active&at=2026-01-01T00:00:00&partner_id=x&article_code=&state=Active&_page_size=0')).toEqual(
      ['_page_size', 'article_code', 'at', 'partner_id', 'stat', 'state'].sort(),
    );
    for (const [query, parameter] of [
      ['?at=2026-01-01', 'at'],
      ['?at=2026-01-01T00:00:00-00:00', 'at'],
      ['?at=2026-01-01T00:00:00%2B01:00&at=2026-01-01T00:00:00%2B01:00', 'at'],
      ['?state=active&state=active', 'state'],
      [`?article_code=${'x'.repeat(65)}`, 'article_code'],
      ['?article_code=%00', 'article_code'],
      ['?_page_cursor=x', '_page_cursor'],
      ['?entity_id=11111111-1111-4111-8111-111111111111', 'entity_id'],
      ['not-an-id/', 'entity_id'],
      [`${randomUUID()}/?at=2026-01-01T00:00:00`, 'at'],
      [`${randomUUID()}/?state=active`, 'state'],
    ] as const)
      expect([query, await refused(query)]).toEqual([query, [parameter]]);
    expect((await entities(`?article_code=${'😀'.repeat(64)}`)).status).toBe(200);
  });

  test('a cursor only works for its listing and its filters', async () => {
    const { client, entities, get, record } = await newTenant(service);
    await record(...Array.from({ length: 3 }, newEntity).map((entity) => activation(entity, 1)));
    const cursorOf = (page: Response): string => new URL(nextOf(page)!).searchParams.get('_page_cursor')!;
    const own = cursorOf(await entities('?_page_size=1'));
    expect((await entities(`?_page_size=2&_page_cursor=${own}`)).status).toBe(200);
    for (const other of [
      await entities(`?state=active&_page_cursor=${own}`),
      await entities(`?at=2026-01-09T00:00:00Z&_page_cursor=${own}`),
      await entities(`?_page_cursor=${cursorOf(await get('latest?_page_size=1'))}`),
      await client.get(`${ENTITIES}?_page_cursor=${own}`).set('namespace', 'other'),
      await (await newTenant(service)).entities(`?_page_cursor=${own}`),
    ])
      expect([other.status, offenders(other)]).toEqual([422, ['_page_cursor']]);
  });

  test('only sees its tenant and namespace', async () => {
    const { client, entities, record } = await newTenant(service);
    const entity = newEntity();
    await record(activation(entity, 1));
    const inside = requestsOf(client, { namespace: 'entities' });
    const other = await newTenant(service);
    for (const stranger of [inside, other]) {
      expect(ids(await stranger.entities())).toEqual([]);
      const { status, body } = await stranger.entities(`${entity}/`);
      expect([status, body.code]).toEqual([404, 'not-found']);
      await stranger.record(notification(entity, 9));
      expect((await stranger.entities(`${entity}/`)).body).toMatchObject({ state: 'announced', since: day(9) });
    }
    expect((await entities(`${entity}/`)).body).toMatchObject({ state: 'active', since: day(1) });
    expect((await entities(`${newEntity()}/`)).status).toBe(404);
  });

  test('needs the scope for reading and, if it has a namespace header, enabled namespaces', async () => {
    for (const path of [ENTITIES, `${ENTITIES}${newEntity()}/`]) {
      const denied = await (await service.as({ scope: 'events:write' })).get(path);
      expect([denied.status, denied.body.code]).toEqual([403, 'scope-missing']);
      expect((await (await service.as({ scope: 'events:read' })).put(path).send({})).status).toBe(405);
    }
    const { service: closed } = await startEvents({ NAMESPACES_ENABLED: 'false' });
    const { status, body } = await (await closed.as(READ_WRITE)).get(ENTITIES).set('namespace', 'dev');
    expect([status, offenders({ body } as Response)]).toEqual([422, ['namespace']]);
    await closed.close();
  });
});
