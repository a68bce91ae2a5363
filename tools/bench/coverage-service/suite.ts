import { join } from 'node:path';
import type { BenchRequest, Running, Scenario, Suite } from '../scenario.js';
import { loadNodes } from './load-nodes.js';
import { inhabitedPoints, LISTED_TENANT } from './towns.js';

const [SEARCHES, SEARCH_SEED] = [20_000, 99];
const PAGE_SIZE = 2_000;
/** Pages of the walk that are asked for again and again. */
const MAX_PAGES = 100;
const FIRST_PAGE = `/v2/cov/nodes?_page_size=${PAGE_SIZE}`;

const searchAt = ([latitude, longitude]: [string, string]): BenchRequest => ({
  path: `/v2/cov/search?center=${latitude},${longitude}&limit=5&search_radius=100`,
});

export const coverageSuite: Suite = {
  service: 'coverage-service',
  load: loadNodes,
  bareModule: join(import.meta.dirname, 'bare.ts'),
  firstRequest: async (token) => ({ path: '/v2/cov/search?center=48.2108,16.3575', token: await token(LISTED_TENANT, 'coverage:search') }),
  scenarios: async (running: Running): Promise<Scenario[]> => {
    const reader = await running.token(LISTED_TENANT, 'coverage:read');
    const ids = (body: string): unknown => (JSON.parse(body) as { node_id: string }[]).map(({ node_id }) => node_id);
    const text = (body: string): unknown => body;
    return [
      {
        name: 'search',
        title: 'Search, 5 nearest within 100 m',
        token: await running.token('isp.one', 'coverage:search'),
        connections: 16,
        requests: inhabitedPoints(running.nodes, SEARCHES, SEARCH_SEED).map(searchAt),
        goal: 0.6,
        comparable: ids,
      },
      {
        name: 'list-page',
        title: `List, page of ${PAGE_SIZE} in mid-walk`,
        token: reader,
        connections: 8,
        requests: await walk(running.url, reader),
        goal: 0.9,
        comparable: text,
      },
      {
        name: 'list-first-page',
        title: `List, first page of ${PAGE_SIZE} with its count`,
        token: reader,
        connections: 8,
        requests: [{ path: FIRST_PAGE }],
        comparable: text,
      },
    ];
  },
};

/** The pages after the first one, by the `next` links of the service. */
async function walk(url: string, token: string): Promise<BenchRequest[]> {
  const pages: BenchRequest[] = [];
  for (let path = FIRST_PAGE; pages.length < MAX_PAGES; ) {
    const response = await fetch(url + path, { headers: { authorization: `Bearer ${token}` } });
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
    await response.arrayBuffer();
    const next = /<([^>]+)>; rel=next/.exec(response.headers.get('link') ?? '')?.[1];
    if (next === undefined) break;
    const { pathname, search } = new URL(next);
    path = pathname + search;
    pages.push({ path });
  }
  if (pages.length === 0) throw new Error('the listing has one page only: load more nodes');
  return pages;
}
