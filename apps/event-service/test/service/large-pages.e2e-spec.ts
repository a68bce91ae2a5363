import { MAX_PAGE_BYTES } from '@fibre/database';
import type { TestService } from '@fibre/testing';
import { volume } from '@fibre/testing/volume';
import type { Response } from 'supertest';
import { activation, EVENTS, newEntity, PARTNER, startEvents } from '../events/events.js';
import { nextOf } from './pages.js';

let service: TestService;
let client: Awaited<ReturnType<TestService['as']>>;
let put: (body: Record<string, unknown>) => Promise<Response>;

/** Enough of the largest events to fill more than so many pages less one. */
const [EVENT_COUNT, PAGES] = volume([150, 2], [300, 3]);
const PARALLEL = 8;

beforeAll(async () => {
  ({ service, client, put } = await startEvents());
});
afterAll(() => service.close());

/** An event as large as it can get in a response: four bytes per character, or six if escaped. */
const largest = (entity: string): Record<string, unknown> =>
  activation(entity, 1, {
    sys_attributes: {
      partner_id: PARTNER,
      article_codes: Array<string>(64).fill('😀'.repeat(64)),
      option82: '😀'.repeat(255),
      partner_reference: '😀'.repeat(255),
    },
    usr_reference: '😀'.repeat(255),
    usr_attributes: { text: '€'.repeat(5_457) },
    comment: '\u0001'.repeat(4_000),
  });

test('pages of the largest events have a size limit, and a walk returns every event once', async () => {
  const ids: string[] = [];
  const waiting = Array.from({ length: EVENT_COUNT }, newEntity);
  const record = async (): Promise<void> => {
    for (let entity = waiting.pop(); entity !== undefined; entity = waiting.pop()) {
      const { status, body } = await put(largest(entity));
      expect(status).toBe(201);
      ids.push((body as { event_id: string }).event_id);
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, record));

  for (const list of ['', 'latest/']) {
    const walked: string[] = [];
    let pages = 0;
    for (let url: string | undefined = `${EVENTS}${list}?_page_size=2000`; url !== undefined; pages++) {
      const response: Response = await client.get(url);
      expect([response.status, response.headers['x-page-size'], response.headers['x-page-count']]).toEqual([200, '2000', '1']);
      expect(Buffer.byteLength(response.text)).toBeLessThanOrEqual(MAX_PAGE_BYTES);
      walked.push(...(response.body as { event_id: string }[]).map(({ event_id }) => event_id));
      const next = nextOf(response);
      // All pages except the last are as full as possible.
      if (next) expect(Buffer.byteLength(response.text)).toBeGreaterThan(MAX_PAGE_BYTES * 0.98);
      url = next?.slice(service.url.length);
    }
    expect([list, [...walked].sort(), pages]).toEqual([list, [...ids].sort(), PAGES]);
  }
});
