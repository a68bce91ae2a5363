import type { TestService } from '@fibre/testing';
import LinkHeader from 'http-link-header';
import type { Response } from 'supertest';
import {
  activation,
  deactivation,
  EVENTS,
  newEntity,
  notification,
  offenders,
  READ_WRITE,
  requestsOf,
  sql,
  startEvents,
  update,
} from './events.js';

let service: TestService;

beforeAll(async () => {
  ({ service } = await startEvents());
});
afterAll(() => service.close());

const DAY_MS = 86_400_000;
let tenants = 0;

/** A tenant that has no event yet. */
async function newTenant() {
  const client = await service.as({ ...READ_WRITE, tenant: `ano.t${++tenants}` });
  const { put, get } = requestsOf(client);
  const record = async (...bodies: Record<string, unknown>[]): Promise<string[]> => {
    const ids: string[] = [];
    for (const body of bodies) ids.push((await put(body)).body.event_id as string);
    return ids;
  };
  const ids = async (path: string): Promise<string[]> => ((await get(path)).body as { event_id: string }[]).map(({ event_id }) => event_id);
  return { client, put, get, record, ids };
}

const next = (response: Response): string | undefined => LinkHeader.parse(response.headers.link as string).rel('next')[0]?.uri;
const entities = (response: Response): string[] => (response.body as { entity_id: string }[]).map(({ entity_id }) => entity_id);

describe('the listing', () => {
  test('has every event, oldest first, in pages that name each other', async () => {
    const { client, get, record } = await newTenant();
    const entity = newEntity();
    const made = await record(...Array.from({ length: 7 }, (_, index) => notification(index % 2 ? entity : newEntity(), 20 - index)));
    expect(made).toEqual([...made].sort());

    const pages: string[][] = [];
    let response = await get('?_page_size=3');
    expect([response.headers['x-page-size'], response.headers['x-page-count']]).toEqual(['3', '3']);
    expect(response.headers.link).toMatch(
      new RegExp(
        `^<${service.url}${EVENTS}\\?_page_size=3>; rel=self, <${service.url}${EVENTS}\\?_page_size=3&_page_cursor=[\\w-]+>; rel=next$`,
      ),
    );
    for (;;) {
      pages.push((response.body as { event_id: string }[]).map(({ event_id }) => event_id));
      const url = next(response);
      if (!url) break;
      response = await client.get(url.slice(service.url.length));
      expect(response.headers['x-page-count']).toBe('3');
    }
    expect(pages).toEqual([made.slice(0, 3), made.slice(3, 6), made.slice(6)]);
  });

  test('is empty without events, and bounds its pages', async () => {
    const { get } = await newTenant();
    const response = await get();
    expect([response.status, response.text, response.headers['x-page-count'], response.headers['x-page-size'], next(response)]).toEqual([
      200,
      '[]',
      '0',
      '500',
      undefined,
    ]);
    for (const query of [
      '_page_size=0',
      '_page_size=2001',
      '_page_size=x',
      '_page_cursor=x',
      'token=old',
      'period=2026-02-30',
      'period=2026-2-1',
      'entity_id=1',
      'unknown=1',
    ]) {
      for (const path of ['', 'latest/']) {
        const refused = await get(`${path}?${query}`);
        expect([refused.status, ...offenders(refused)]).toEqual([422, query.split('=')[0]]);
      }
    }
    expect(offenders(await get('?period=2026-01-01&period=2026-01-02'))).toEqual(['period']);
    expect(offenders(await get('?period_end=2026-01-01'))).toEqual(['period_end']);
    expect(offenders(await get('?period=2026-01-02&period_end=2026-01-01'))).toEqual(['period_end']);
  });

  test('takes a cursor of its own alone, at any page size', async () => {
    const { get, record } = await newTenant();
    const entity = newEntity();
    const made = await record(...[1, 2, 3].map((day) => notification(entity, day)));
    const cursor = new URL(next(await get('?_page_size=1'))!).searchParams.get('_page_cursor');
    const rest = await get(`?_page_size=9&_page_cursor=${cursor}`);
    expect(rest.body.map(({ event_id }: { event_id: string }) => event_id)).toEqual(made.slice(1));
    for (const path of ['latest/?', '?token=fresh&', `?entity_id=${entity}&`])
      expect(offenders(await get(`${path}_page_cursor=${cursor}`))).toEqual(['_page_cursor']);
    expect(offenders(await (await newTenant()).get(`?_page_cursor=${cursor}`))).toEqual(['_page_cursor']);
  });
});

describe('filters', () => {
  test('period is the date where the event took place', async () => {
    const { ids, record } = await newTenant();
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

  test('fresh, untouched and completed have nothing to do with each other', async () => {
    const { client, ids, put, record } = await newTenant();
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
  /** Makes events a day older. @returns their ids, which say it too */
  const aDayAgo = (ids: string[]): Promise<string[]> =>
    Promise.all(
      ids.map(async (id) => {
        const ms = (parseInt(id.slice(0, 8) + id.slice(9, 13), 16) - DAY_MS).toString(16).padStart(12, '0');
        const older = `${ms.slice(0, 8)}-${ms.slice(8)}${id.slice(13)}`;
        const times = ['created_at', 'modified_at'].map((column) => `${column} = ${column} - interval '1 day'`);
        await sql(service.databaseUrl, `update event set event_id = $2, ${times.join(', ')} where event_id = $1`, [id, older]);
        return older;
      }),
    );

  const modifiedAt = async (get: (path: string) => Promise<Response>, id: string): Promise<string> =>
    ((await get(`${id}/`)).body as { modified_at: string }).modified_at;
  const since = (time: string): string => `modified_since=${encodeURIComponent(time)}`;

  test('finds what was created or overwritten since then, on both lists', async () => {
    const { get, put, record, ids } = await newTenant();
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

  test('belongs to the cursor, and has to be a timestamp with an offset', async () => {
    const { get, record } = await newTenant();
    await record(...[1, 2, 3].map((day) => notification(newEntity(), day)));
    const walk = `${since('2026-01-01T00:00:00.000001Z')}&_page_size=1`;
    const cursor = new URL(next(await get(`?${walk}`))!).searchParams.get('_page_cursor');
    expect((await get(`?${walk}&_page_cursor=${cursor}`)).status).toBe(200);
    expect(offenders(await get(`?${since('2026-01-01T00:00:00Z')}&_page_cursor=${cursor}`))).toEqual(['_page_cursor']);
    for (const time of ['2026-01-01', '2026-01-01T00:00:00', 'yesterday', ''])
      for (const list of ['', 'latest/']) expect(offenders(await get(`${list}?${since(time)}`))).toEqual(['modified_since']);
  });
});

describe('latest', () => {
  test('is the event created last, whatever its event_at, once per entity and by entity', async () => {
    const { client, get, record } = await newTenant();
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
    // What is written during a walk moves no entity.
    await record(notification(order[0]!, 25), notification(order[2]!, 25));
    const second = await client.get(next(first)!.slice(service.url.length));
    const third = await client.get(next(second)!.slice(service.url.length));
    expect([...entities(second), ...entities(third), next(third)]).toEqual([...order.slice(2), undefined]);
  });

  test('filters first', async () => {
    const { get, put, record, ids } = await newTenant();
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
});

test('the document names every member of an event, and which are always there', async () => {
  const { put } = await newTenant();
  const whole = { usr_reference: 'r', usr_attributes: {}, comment: 'c' };
  const response = await put(activation(newEntity(), 1, whole));
  const document = await service.anonymous().get(`${EVENTS}openapi.json`);
  const { EventResponse, ActivationRequest, DeactivationRequest } = document.body.components.schemas;
  expect(Object.keys(response.body as object)).toEqual(Object.keys(EventResponse.properties as object));
  const bare = (await put(notification(newEntity(), 1))).body as object;
  expect(EventResponse.required).toEqual(Object.keys(bare));
  const always = ['entity_id', 'event_type', 'event_at'];
  expect([...(ActivationRequest.required as string[])].sort()).toEqual([...always, 'sys_attributes'].sort());
  expect([...(DeactivationRequest.required as string[])].sort()).toEqual(always.sort());
});
