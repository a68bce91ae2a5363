import { join } from 'node:path';
import type { BenchRequest } from '../requests.js';
import { expectSameAnswers } from '../same-answers.js';
import { againstBare } from '../scenario.js';
import type { Suite } from '../suite.js';
import { PAGE_SIZE, walk } from '../walk.js';
import { nodesDataset } from './load-nodes.js';
import { inhabitedPoints, LISTED_TENANT } from './towns.js';

export const [SEARCHES, SEARCH_SEED] = [20_000, 99];
const [READ, SEARCH] = ['coverage:read', 'coverage:search'];
export const FIRST_PAGE = `/v2/cov/nodes?_page_size=${PAGE_SIZE}`;

export const searchAt = ([latitude, longitude]: [string, string]): BenchRequest => ({
  path: `/v2/cov/search?center=${latitude},${longitude}&limit=5&search_radius=100`,
});
const ids = (body: string): string[] => (JSON.parse(body) as { node_id: string }[]).map(({ node_id }) => node_id);
const text = (body: string): string => body;

export const coverageSuite: Suite = {
  service: 'coverage-service',
  datasets: ({ nodes }) => [nodesDataset(nodes)],
  bareModule: join(import.meta.dirname, 'bare.ts'),
  firstRequest: { path: '/v2/cov/search?center=48.2108,16.3575', tenant: LISTED_TENANT, scope: SEARCH },
  scenarios: {
    search: async (running) => {
      const token = await running.token('isp.one', SEARCH);
      const requests = inhabitedPoints(running.service.records, SEARCHES, SEARCH_SEED).map(searchAt);
      await expectSameAnswers(running, requests, token, ids);
      return againstBare(running, {
        title: 'Search, 5 nearest within 100 m',
        token,
        connections: 16,
        requests,
        status: 200,
        goal: { atLeast: 0.6 },
      });
    },
    'list-page': async (running) => {
      const token = await running.token(LISTED_TENANT, READ);
      const requests = await walk(running.service, FIRST_PAGE, token);
      await expectSameAnswers(running, requests, token, text);
      const title = `List, page of ${PAGE_SIZE} in mid-walk`;
      return againstBare(running, { title, token, connections: 8, requests, status: 200, goal: { atLeast: 0.9 } });
    },
    'list-first-page': async (running) => {
      const token = await running.token(LISTED_TENANT, READ);
      const requests = [{ path: FIRST_PAGE }];
      await expectSameAnswers(running, requests, token, text);
      return againstBare(running, {
        title: `List, first page of ${PAGE_SIZE} with its count`,
        token,
        connections: 8,
        requests,
        status: 200,
      });
    },
  },
};
