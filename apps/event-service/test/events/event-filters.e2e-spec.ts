import type { TestService } from '@fibre/testing';
import {
  activation,
  deactivation,
  EVENTS,
  type Events,
  newEntity,
  newTenant,
  notification,
  offenders,
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
    for (const token of ['', '&token=untouched', '&token=completed', '&modified_since=2020-01-01T00:00:00Z']) {
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

describe('modified_since', () => {
  const DAY_MS = 86_400_000;

  /** Makes events a day older. @returns their new ids: an id contains the time, so it changes too */
  const aDayAgo = (ids: string[]): Promise<string[]> =>
    Promise.all(
      ids.map(async (id) => {
        const ms = (parseInt(id.slice(0, 8) + id.slice(9, 13), 16) - DAY_MS).toString(16).padStart(12, '0');
        const older = `${ms.slice(0, 8)}-${ms.slice(8)}${id.slice(13)}`;
        const times = ['created_at', 'modified_at'].map(
          (column) => `${column} = (${column} at time zone 'UTC' - interval '1 day') at time zone 'UTC'`,
        );
        await sql(service.databaseUrl, `update event set event_id = $2, ${times.join(', ')} where event_id = $1`, [id, older]);
        return older;
      }),
    );

  const modifiedAt = async (get: Events['get'], id: string): Promise<string> =>
    ((await get(`${id}/`)).body as { modified_at: string }).modified_at;
  const since = (time: string): string => `modified_since=${encodeURIComponent(time)}`;

  test('finds events that were created or overwritten since an instant, in both lists', async () => {
    const { get, put, record, ids } = await newTenant(service);
    const [first, second, third] = [newEntity(), newEntity(), newEntity()];
    const [a1, u1, a2] = await aDayAgo(await record(activation(first, 1), update(first, 2), activation(second, 1)));
    const [a3] = await record(activation(third, 1));

    const created = await modifiedAt(get, a3!);
    await expect(ids(`?${since(created)}`)).resolves.toEqual([a3]);
    await put(activation(first, 1, { comment: 'changed' }));
    const changed = await modifiedAt(get, a1!);
    await expect(ids(`?${since(created)}`)).resolves.toEqual([a1, a3]);
    await expect(ids(`latest?${since(created)}`)).resolves.toEqual(first < third ? [a1, a3] : [a3, a1]);
    await expect(ids('?modified_since=2026-01-01T00:00:00Z')).resolves.toEqual([a1, u1, a2, a3]);

    // Inclusive, to the microsecond, with any offset.
    const at = (digits: string, offset = 'Z'): string => changed.replace(/\+00:00$/, digits + offset);
    await expect(ids(`?${since(at(''))}&entity_id=${first}`)).resolves.toEqual([a1]);
    await expect(ids(`?${since(at('001'))}&entity_id=${first}`)).resolves.toEqual([]);
    const inVienna = new Date(Date.parse(changed) + 3_600_000).toISOString().replace('Z', '+01:00');
    await expect(ids(`?${since(inVienna)}&entity_id=${first}`)).resolves.toEqual([a1]);

    await expect(ids(`?${since(created)}&token=untouched`)).resolves.toEqual([a3]);
    await expect(ids(`?${since(created)}&token=completed`)).resolves.toEqual([]);
    await expect(ids(`latest?${since(created)}&period=2026-01-01&token=untouched`)).resolves.toEqual([a3]);
    const page = await get(`?${since(created)}&_page_size=1`);
    expect([page.headers['x-page-count'], (page.body as unknown[]).length]).toEqual(['2', 1]);
  });

  test('is part of the cursor, and must be a timestamp with an offset', async () => {
    const { get, record } = await newTenant(service);
    await record(...[1, 2, 3].map((day) => notification(newEntity(), day)));
    const walk = `${since('2026-01-01T00:00:00.000001Z')}&_page_size=1`;
    const cursor = new URL(nextOf(await get(`?${walk}`))!).searchParams.get('_page_cursor');
    expect((await get(`?${walk}&_page_cursor=${cursor}`)).status).toBe(200);
    expect(offenders(await get(`?${since('2026-01-01T00:00:00Z')}&_page_cursor=${cursor}`))).toEqual(['_page_cursor']);
    for (const time of ['2026-01-01', '2026-01-01T00:00:00', 'yesterday', ''])
      for (const list of ['', 'latest/']) expect(offenders(await get(`${list}?${since(time)}`))).toEqual(['modified_since']);
  });
});
