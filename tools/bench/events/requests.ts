import type { BenchRequest } from '../scenario.js';

export const EVENTS = '/api/v2/sys/events';
export const PAGE_SIZE = 2_000;
/** Stands for the id of an entity that nobody has seen before, another one in every request. */
export const NEW_ENTITY = '{new entity}';
/** Pages of a walk that are asked for again and again. */
const MAX_PAGES = 100;

/** The first event of an entity, as an operator's order system would record it. */
export const activationOf = (entityId: string): BenchRequest => ({
  path: EVENTS,
  method: 'PUT',
  body: JSON.stringify({
    entity_id: entityId,
    event_type: 'activation',
    event_at: '2026-02-01T16:00:00+01:00',
    event_timezone: 'Europe/Vienna',
    sys_attributes: { article_codes: ['FIBRE-100', 'VOICE'], partner_id: '7f2a1c9e-53b0-4d1c-9a3e-6f0d5b8e2c41' },
    usr_reference: 'order-2026-000001',
  }),
});

/** The pages of a listing after its first one, by the `next` links of the service. */
export async function walk(url: string, token: string, path: string): Promise<BenchRequest[]> {
  const pages: BenchRequest[] = [];
  for (let next: string | undefined = `${path}?_page_size=${PAGE_SIZE}`; next !== undefined && pages.length <= MAX_PAGES; ) {
    pages.push({ path: next });
    const response = await fetch(url + next, { headers: { authorization: `Bearer ${token}` } });
    if (!response.ok) throw new Error(`${next} answered ${response.status}: ${await response.text()}`);
    await response.arrayBuffer();
    next = /<([^>]+)>; rel=next/.exec(response.headers.get('link') ?? '')?.[1]?.replace(/^https?:\/\/[^/]+/, '');
  }
  if (pages.length === 1) throw new Error('the listing has one page only: load more events');
  return pages.slice(1);
}
