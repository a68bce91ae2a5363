import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { type BenchRequest, send } from '../requests.js';
import { expectSame, expectSameAnswers } from '../same-answers.js';
import { againstBare } from '../scenario.js';
import type { Suite } from '../suite.js';
import { PAGE_SIZE, walk } from '../walk.js';
import { nodesDataset } from './load-nodes.js';
import { newNode } from './new-node.js';
import { inhabitedPoints, LISTED_TENANT, RECORDING_TENANT } from './towns.js';

export const [SEARCHES, SEARCH_SEED] = [20_000, 99];
const [READ, WRITE, SEARCH] = ['coverage:read', 'coverage:write', 'coverage:search'];
const SMALL_PAGE = 500;
export const FIRST_PAGE = `/v2/cov/nodes?_page_size=${PAGE_SIZE}`;

export const searchAt = ([latitude, longitude]: [string, string]): BenchRequest => ({
  path: `/v2/cov/search?center=${latitude},${longitude}&limit=5&search_radius=100`,
});
const ids = (body: string): string[] => (JSON.parse(body) as { node_id: string }[]).map(({ node_id }) => node_id);
const text = (body: string): string => body;
/** What a client said of a new node. */
const settable = (body: string): unknown => ({
  ...(JSON.parse(body) as object),
  ...{ node_id: '', customer_reference: '', created_at: '', modified_at: '' },
});

const midWalk =
  (size: number): Suite['scenarios'][string] =>
  async (running) => {
    const token = await running.token(LISTED_TENANT, READ);
    const requests = await walk(running.service, `/v2/cov/nodes?_page_size=${size}`, token);
    await expectSameAnswers(running, requests, token, text);
    const title = `List, page of ${size} in mid-walk`;
    return againstBare(running, { title, token, connections: 8, requests, status: 200, goal: { atLeast: 0.95 } });
  };

export const coverageSuite: Suite = {
  service: 'coverage-service',
  datasets: ({ nodes }) => [nodesDataset(nodes)],
  bareModule: join(import.meta.dirname, 'bare.ts'),
  firstRequest: { path: '/v2/cov/search?center=48.2108,16.3575', tenant: LISTED_TENANT, scope: SEARCH },
  steady: 'search',
  quick: ['search', 'read-one', 'insert-one', `list-page-${PAGE_SIZE}`, `list-page-${SMALL_PAGE}`],
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
        goal: { atLeast: 0.75 },
      });
    },
    'read-one': async (running) => {
      const token = await running.token(LISTED_TENANT, READ);
      const { body } = await send(running.service, { path: FIRST_PAGE }, token);
      const requests = ids(body).map((id) => ({ path: `/v2/cov/nodes/${id}` }));
      await expectSameAnswers(running, requests, token, text);
      return againstBare(running, { title: 'Read one by its id', token, connections: 16, requests, status: 200, goal: { atLeast: 0.7 } });
    },
    'insert-one': async (running) => {
      const token = await running.token(RECORDING_TENANT, WRITE);
      const [ours, theirs] = await Promise.all(
        [running.service, running.bare].map(async (server) => (await send(server, newNode(randomUUID()), token, 201)).body),
      );
      expectSame(newNode(), settable(ours!), settable(theirs!));
      const goal = { atLeast: 0.7 };
      return againstBare(running, { title: 'Create one', token, connections: 16, requests: [newNode()], status: 201, goal });
    },
    ...Object.fromEntries([PAGE_SIZE, SMALL_PAGE].map((size) => [`list-page-${size}`, midWalk(size)])),
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
