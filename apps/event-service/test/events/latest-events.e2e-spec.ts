import { countListing, selectPage, type Statement } from '@fibre/database';
import type { TestService } from '@fibre/testing';
import type { Response } from 'supertest';
import { eventListing } from '../../src/event-lists/event-lists.sql.js';
import { activation, deactivation, newEntity, newTenant, notification, sql, startEvents, update } from './events.js';
import { everyFilter } from '../citus/every-statement.js';
import { nextOf } from '../service/pages.js';

let service: TestService;

beforeAll(async () => {
  ({ service } = await startEvents());
});
afterAll(() => service.close());

const entities = (response: Response): string[] => (response.body as { entity_id: string }[]).map(({ entity_id }) => entity_id);

describe('latest', () => {
  test('returns the most recently created event of each entity, regardless of event_at, ordered by entity', async () => {
    const { client, get, record } = await newTenant(service);
    const made = new Map<string, string>();
    for (let index = 0; index < 5; index++) {
      const entity = newEntity();
      const [, , last] = await record(activation(entity, 10), deactivation(entity, 20), update(entity, 15));
      made.set(entity, last!);
    }
    const order = [...made.keys()].sort();
    const response = await get('latest');
    expect(entities(response)).toEqual(order);
    expect(response.body.map(({ event_id }: { event_id: string }) => event_id)).toEqual(order.map((entity) => made.get(entity)));

    const first = await get('latest/?_page_size=2');
    expect([entities(first), first.headers['x-page-count']]).toEqual([order.slice(0, 2), '3']);
    // Events recorded during a walk do not move any entity.
    await record(notification(order[0]!, 25), notification(order[2]!, 25));
    const second = await client.get(nextOf(first)!.slice(service.url.length));
    const third = await client.get(nextOf(second)!.slice(service.url.length));
    expect([...entities(second), ...entities(third), nextOf(third)]).toEqual([...order.slice(2), undefined]);
  });

  test('filters first', async () => {
    const { get, put, record, ids } = await newTenant(service);
    const [one, two] = [newEntity(), newEntity()].sort();
    const [a1, u1, d1, n1] = await record(activation(one!, 1), update(one!, 2), deactivation(one!, 3), notification(one!, 4));
    const [a2, n2] = await record(activation(two!, 2), notification(two!, 3, { event_at: '2126-01-01T12:00:00+01:00' }));
    await expect(ids('latest')).resolves.toEqual([n1, n2]);
    await expect(ids(`latest?entity_id=${two}`)).resolves.toEqual([n2]);
    await expect(ids('latest?period=2026-01-02')).resolves.toEqual([u1, a2]);
    await expect(ids('latest?period=2026-01-01&period_end=2026-01-03')).resolves.toEqual([d1, a2]);
    await expect(ids('latest?token=completed')).resolves.toEqual([n1]);
    await put(notification(one!, 4, { comment: 'changed' }));
    await expect(ids('latest?token=untouched')).resolves.toEqual([d1, n2]);
    await expect(ids('latest?token=untouched&period=2026-01-01')).resolves.toEqual([a1]);
    await expect(ids('latest?token=fresh')).resolves.toEqual([n1, n2]);
    const paged = await get('latest?token=fresh&_page_size=1');
    expect([entities(paged), paged.headers['x-page-count']]).toEqual([[one], '2']);
  });

  test('is the same whether events or timelines are read first', async () => {
    const { put, record } = await newTenant(service);
    let [some]: string[] = [];
    for (let index = 1; index <= 20; index++) {
      const entity = newEntity();
      [some] = await record(activation(entity, index), update(entity, index + 1), notification(entity, 30 - index));
      if (index % 3 === 0) await record(deactivation(entity, index + 2));
      if (index % 4 === 0) await put(update(entity, index + 1, { comment: 'changed' }));
    }
    const run = ({ text, values }: Statement) => sql<{ json: string; total: number }>(service.databaseUrl, text, [...values]);
    const [owner] = await sql<{ tenant: string; namespaceId: string }>(
      service.databaseUrl,
      'select tenant, namespace_id as "namespaceId" from event where event_id = $1',
      [some],
    );
    let found = 0;
    for (const filters of everyFilter()) {
      const scope = { ...owner!, now: new Date(), freshHours: 24 };
      const [first, second] = [false, true].map((byTimeline) => eventListing('latest', scope, filters, byTimeline));
      const shown = await run(selectPage(first!, { size: 100 }));
      expect([filters, await run(selectPage(second!, { size: 100 }))]).toEqual([filters, shown]);
      expect(await run(countListing(second!))).toEqual(await run(countListing(first!)));
      found += shown.length;
    }
    expect(found).toBeGreaterThan(0);
  });
});
