import type { TestService } from '@fibre/testing';
import { EVENTS, newEntity, newTenant, notification, offenders, startEvents } from './events.js';
import { nextOf } from '../service/pages.js';

let service: TestService;

beforeAll(async () => {
  ({ service } = await startEvents());
});
afterAll(() => service.close());

describe('the listing', () => {
  test('has every event, oldest first, in linked pages', async () => {
    const { client, get, record } = await newTenant(service);
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
      const url = nextOf(response);
      if (!url) break;
      response = await client.get(url.slice(service.url.length));
      expect(response.headers['x-page-count']).toBe('3');
    }
    expect(pages).toEqual([made.slice(0, 3), made.slice(3, 6), made.slice(6)]);
  });

  test('is empty if there are no events, and limits the page size', async () => {
    const { get } = await newTenant(service);
    const response = await get();
    expect([response.status, response.text, response.headers['x-page-count'], response.headers['x-page-size'], nextOf(response)]).toEqual([
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

  test('only accepts its own cursors, at any page size', async () => {
    const { get, record } = await newTenant(service);
    const entity = newEntity();
    const made = await record(...[1, 2, 3].map((day) => notification(entity, day)));
    const cursor = new URL(nextOf(await get('?_page_size=1'))!).searchParams.get('_page_cursor');
    const rest = await get(`?_page_size=9&_page_cursor=${cursor}`);
    expect(rest.body.map(({ event_id }: { event_id: string }) => event_id)).toEqual(made.slice(1));
    for (const path of ['latest/?', '?token=fresh&', `?entity_id=${entity}&`])
      expect(offenders(await get(`${path}_page_cursor=${cursor}`))).toEqual(['_page_cursor']);
    expect(offenders(await (await newTenant(service)).get(`?_page_cursor=${cursor}`))).toEqual(['_page_cursor']);
  });
});
