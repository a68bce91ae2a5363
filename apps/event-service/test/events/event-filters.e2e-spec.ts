import type { TestService } from '@fibre/testing';
import { activation, deactivation, EVENTS, newEntity, newTenant, notification, startEvents, update } from './events.js';
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
});
