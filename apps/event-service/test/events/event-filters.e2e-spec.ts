import type { TestService } from '@fibre/testing';
import {
  activation,
  deactivation,
  EVENTS,
  newEntity,
  newTenant,
  notification,
  offenders,
  PARTNER,
  sql,
  startEvents,
  update,
} from './events.js';
import { nextOf } from '../service/pages.js';

let service: TestService;

beforeAll(async () => {
  ({ service } = await startEvents());
});
afterAll(() => service.close());

describe('filters', () => {
  test('period selects events by the date in their own time zone', async () => {
    const { ids, record } = await newTenant(service);
    const at = (event_at: string, event_timezone: string) => notification(newEntity(), 1, { event_at, event_timezone });
    const [vienna, auckland, york] = await record(
      at('2026-02-01T00:30:00+01:00', 'Europe/Vienna'),
      at('2026-02-02T01:00:00+13:00', 'Pacific/Auckland'),
      at('2026-01-31T23:00:00-05:00', 'America/New_York'),
    );
    await expect(ids('?period=2026-02-01')).resolves.toEqual([vienna]);
    await expect(ids('?period=2026-02-02')).resolves.toEqual([auckland]);
    await expect(ids('?period=2026-01-31')).resolves.toEqual([york]);
    await expect(ids('?period=2026-01-31&period_end=2026-02-01')).resolves.toEqual([vienna, york]);
    await expect(ids('?period=2026-02-01&period_end=2026-02-01')).resolves.toEqual([vienna]);
    await expect(ids('?period=2026-01-01&period_end=2026-12-31')).resolves.toEqual([vienna, auckland, york]);
    await expect(ids('?period=2026-02-03')).resolves.toEqual([]);
  });

  test.each([
    ['some days', 'period=2026-01-02&period_end=2026-01-05'],
    ['more than a year', 'period=2025-01-01&period_end=2026-01-05'],
    ['all time', 'period=0001-01-01&period_end=9999-12-31'],
  ])('a walk through %s returns every event once, ordered by id', async (_, period) => {
    const { client, get, record } = await newTenant(service);
    // The days are not in the order of recording, as if some events had been recorded late.
    const days = [4, 2, 6, 3, 2, 5, 4, 7, 5, 3];
    const made = await record(...days.map((day) => notification(newEntity(), day)));
    const shown = period.endsWith('9999-12-31') ? made : made.filter((_id, index) => days[index]! <= 5);
    for (const token of ['', '&token=untouched', '&token=completed']) {
      const walked: string[] = [];
      let response = await get(`?${period}${token}&_page_size=3`);
      expect(response.headers['x-page-count']).toBe(String(Math.ceil(shown.length / 3)));
      for (let next = nextOf(response); ; next = nextOf(response)) {
        walked.push(...(response.body as { event_id: string }[]).map(({ event_id }) => event_id));
        if (next === undefined) break;
        response = await client.get(next.slice(service.url.length));
      }
      expect([token, ...walked]).toEqual([token, ...shown]);
    }
  });

  test('event_type and partner_id select the events of a kind and of the subscriptions of an ISP', async () => {
    const { ids, get, record } = await newTenant(service);
    const [entity, OTHER] = [newEntity(), '22222222-2222-4222-8222-222222222222'];
    const of = (partner_id: string, more: object = {}) => ({ sys_attributes: { partner_id, article_codes: ['A'], ...more } });
    // Recorded before the activation that it belongs to, and before there was any.
    const [told, before] = await record(notification(entity, 6), notification(entity, 1));
    const [a, d, b] = await record(
      activation(entity, 2, of(PARTNER, { option82: 'port 1', partner_reference: 'ref' })),
      deactivation(entity, 4),
      activation(entity, 5, of(OTHER)),
    );
    const [late, named, after] = await record(
      update(entity, 3, { sys_attributes: { article_codes: ['B'], option82: 'port 2' } }),
      notification(entity, 7, { sys_attributes: { partner_id: PARTNER, option82: 'named' } }),
      notification(entity, 4, { event_at: '2026-01-04T13:00:00+01:00' }),
    );
    await expect(ids(`?partner_id=${PARTNER}`)).resolves.toEqual([a, d, late, named, after]);
    await expect(ids(`?partner_id=${OTHER}`)).resolves.toEqual([told, b]);
    await expect(ids(`?partner_id=${OTHER}&event_type=notification`)).resolves.toEqual([told]);
    await expect(ids('?event_type=deactivation')).resolves.toEqual([d]);
    await expect(ids('?event_type=activation&_order=desc')).resolves.toEqual([b, a]);
    await expect(ids(`latest/?partner_id=${PARTNER}`)).resolves.toEqual([after]);
    await expect(ids('latest/?event_type=update')).resolves.toEqual([late]);
    const exported = (await get(`export?format=ndjson&partner_id=${PARTNER}&event_type=deactivation`)).text;
    expect(JSON.parse(exported)).toMatchObject({ event_id: d });

    const subscriptions = async (path: string) =>
      Object.fromEntries(
        ((await get(path)).body as { event_id: string; subscription?: object }[]).map(({ event_id, subscription }) => [
          event_id,
          subscription,
        ]),
      );
    const first = { partner_id: PARTNER, option82: 'port 1', partner_reference: 'ref' };
    const then = { ...first, option82: 'port 2' };
    const [other, of7] = [{ partner_id: OTHER }, { partner_id: PARTNER, option82: 'named' }];
    const all = {
      [before!]: undefined,
      [told!]: other,
      [a!]: first,
      [late!]: then,
      [d!]: then,
      [after!]: then,
      [b!]: other,
      [named!]: of7,
    };
    await expect(subscriptions('?with_subscription=true')).resolves.toEqual(all);
    await expect(subscriptions('?with_subscription=true&_order=desc&period=2026-01-03')).resolves.toEqual({ [late!]: then });
    await expect(subscriptions('')).resolves.toEqual(Object.fromEntries(Object.keys(all).map((id) => [id, undefined])));
  });

  test('a notification belongs to the subscription that begins at its instant, whichever was recorded first, and keeps the ISP that it names', async () => {
    const { ids, record } = await newTenant(service);
    const [early, OTHER] = [newEntity(), '22222222-2222-4222-8222-222222222222'];
    const naming = (partner_id: string) => ({ sys_attributes: { partner_id, article_codes: ['A'] } });
    const [atOnce, named] = await record(notification(early, 2), notification(early, 3, { sys_attributes: { partner_id: OTHER } }));
    const [first] = await record(activation(early, 2, naming(PARTNER)));
    // A later subscription is the last one when this notification is recorded.
    const [end, second, late] = await record(
      deactivation(early, 5),
      activation(early, 6, naming(OTHER)),
      notification(early, 2, { usr_reference: 'late', sys_attributes: { option82: 'port' } }),
    );
    await expect(ids(`?partner_id=${PARTNER}`)).resolves.toEqual([atOnce, first, end, late]);
    await expect(ids(`?partner_id=${OTHER}`)).resolves.toEqual([named, second]);
  });

  test('an activation takes over 2,000 of the notifications that were recorded before it, in a time that does not grow with their number', async () => {
    const { get, ids, record } = await newTenant(service);
    const entity = newEntity();
    const [told] = await record(notification(entity, 2));
    await sql(
      service.databaseUrl,
      `insert into event (event_id, shard_key, tenant, namespace_id, entity_id, sequence, event_type, event_at, event_timezone, event_date, sys_hash, created_at, modified_at)
       select gen_random_uuid(), shard_key, tenant, namespace_id, entity_id, sequence + n, event_type, event_at + n * interval '1 minute', event_timezone, event_date, gen_random_uuid(), created_at, modified_at
       from event, generate_series(1, 2000) n where event_id = $1`,
      [told],
    );
    await sql(service.databaseUrl, 'update timeline set version = version + 2000 where entity_id = $1', [entity]);
    const [began] = await record(activation(entity, 1));
    const { headers } = await get(`?partner_id=${PARTNER}&event_type=notification&_page_size=1`);
    expect(headers['x-page-count']).toBe('2000');
    await expect(ids(`?partner_id=${PARTNER}&event_type=activation`)).resolves.toEqual([began]);
  });

  test('recorded_from and recorded_until select the events recorded after one instant and up to the other', async () => {
    const { client, ids, get, record } = await newTenant(service);
    await record(notification(newEntity(), 1), notification(newEntity(), 2));
    const third = newEntity();
    await record(notification(third, 3));
    const [first, second, last] = (await get()).body as { event_id: string; created_at: string }[];
    const at = (name: string, { created_at }: { created_at: string }, decimals = '') =>
      `${name}=${encodeURIComponent(created_at.replace('+', `${decimals}+`))}`;
    const recorded = [first!.event_id, second!.event_id, last!.event_id];
    const alike = recorded.filter((_, index) => [first, second, last][index]!.created_at <= second!.created_at);
    await expect(ids(`?${at('recorded_until', second!)}`)).resolves.toEqual(alike);
    await expect(ids(`?${at('recorded_until', second!, '999')}`)).resolves.toEqual(alike);
    await expect(ids(`?${at('recorded_from', second!)}`)).resolves.toEqual(recorded.filter((id) => !alike.includes(id)));
    await expect(ids(`?${at('recorded_from', last!)}`)).resolves.toEqual([]);
    expect((await get(`?${at('recorded_from', last!)}&${at('recorded_until', last!)}`)).status).toBe(200);
    await expect(ids('?recorded_from=0001-01-01T00:00:00Z&recorded_until=9999-12-31T23:59:59Z')).resolves.toEqual(recorded);
    await expect(ids(`latest/?${at('recorded_until', last!)}&entity_id=${third}`)).resolves.toEqual([recorded[2]]);
    const refused = await client.get(
      `${EVENTS}?recorded_from=2026-01-02T00:00:00Z&recorded_until=2026-01-01T00:00:00Z&event_type=end&partner_id=x`,
    );
    expect([refused.status, offenders(refused).sort()]).toEqual([422, ['event_type', 'partner_id', 'recorded_until']]);
  });

  test('the tokens fresh, untouched and completed are independent', async () => {
    const { client, ids, put, record } = await newTenant(service);
    const [ended, running, other] = [newEntity(), newEntity(), newEntity()];
    const [a1, u2, d3, a4, n5] = await record(
      activation(ended, 1),
      update(ended, 2),
      deactivation(ended, 3),
      activation(ended, 4),
      notification(ended, 5),
    );
    const [a, u] = await record(activation(running, 1), update(running, 2));
    const [future] = await record(notification(other, 1, { event_at: '2126-01-01T12:00:00+01:00' }));
    await put(update(running, 2, { comment: 'changed' }));

    const all = [a1, u2, d3, a4, n5, a, u, future];
    await expect(ids('')).resolves.toEqual(all);
    await expect(ids('?token=fresh')).resolves.toEqual(all);
    await expect(ids('?token=untouched')).resolves.toEqual(all.filter((id) => id !== u));
    await expect(ids('?token=completed')).resolves.toEqual([a1, u2, d3, n5]);
    await expect(ids(`?token=completed&entity_id=${running.toUpperCase()}`)).resolves.toEqual([]);
    await expect(ids(`?entity_id=${running}`)).resolves.toEqual([a, u]);
    await put(deactivation(running, 3));
    await expect(ids(`?token=completed&entity_id=${running}&period=2026-01-02`)).resolves.toEqual([u]);
    expect((await client.get(`${EVENTS}?token=fresh`)).headers['x-page-count']).toBe('1');
  });

  test('FRESH_HOURS says for how long an event is fresh', async () => {
    const own = await startEvents({ FRESH_HOURS: '2' });
    const [old, older] = await own.record(notification(newEntity(), 1), notification(newEntity(), 2));
    for (const [id, minutes] of [
      [old, 119],
      [older, 121],
    ] as const)
      await sql(own.service.databaseUrl, `update event set created_at = created_at - $2::int * interval '1 minute' where event_id = $1`, [
        id,
        minutes,
      ]);
    await expect(own.ids('?token=fresh')).resolves.toEqual([old]);
    await own.service.close();
  });
});
