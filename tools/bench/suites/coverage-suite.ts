import { type BenchRequest, NEW_ID } from '../setup/load.js';
import { inhabitedPoints, LISTED_TENANT, nodesDataset, type Point } from '../setup/nodes.js';
import { PAGE_SIZE, readEach, type Suite, walk } from './scenario.js';

export const FIRST_PAGE = `/v2/cov/nodes?_page_size=${PAGE_SIZE}`;
/** A tenant that only has nodes created by the bench. */
export const RECORDING_TENANT = 'ano.recording';

export const searchAt = ({ latitude, longitude }: Point): BenchRequest => ({
  path: `/v2/cov/search?center=${latitude},${longitude}&limit=5&search_radius=100`,
});

const newNode: BenchRequest = {
  path: '/v2/cov/nodes',
  method: 'POST',
  body: JSON.stringify({
    relation_id: '00000000-0000-4000-8000-ffffffffffff',
    token: 'operation',
    center: '48.208555, 16.372966',
    technology: 'ftth',
    country: 'AT',
    address_id: 'AT-1000000',
    customer_reference: NEW_ID,
  }),
};

const single = { tenant: LISTED_TENANT, connections: 16, status: 200 };

export const coverageSuite = (nodes: number): Suite => ({
  service: 'coverage-service',
  dataset: nodesDataset(nodes),
  scenarios: [
    {
      ...single,
      title: 'Search, 5 nearest within 100 m',
      scope: 'coverage:search',
      atLeast: 0.55,
      // The bare handler returns the nodes as the database has them; the service adds these members.
      differing: ['distance', 'quality'],
      requests: async (_service, _token, databaseUrl) => (await inhabitedPoints(databaseUrl)).map(searchAt),
    },
    {
      ...single,
      title: 'Read one by its id',
      scope: 'coverage:read',
      atLeast: 0.4,
      requests: (service, token) => readEach(service, FIRST_PAGE, token, 'node_id'),
    },
    {
      ...single,
      title: 'Create one',
      tenant: RECORDING_TENANT,
      scope: 'coverage:write',
      status: 201,
      atLeast: 0.55,
      differing: ['node_id', 'customer_reference', 'created_at', 'modified_at'],
      requests: () => [newNode],
    },
    {
      ...single,
      title: `List, a later page of ${PAGE_SIZE}`,
      scope: 'coverage:read',
      connections: 8,
      atLeast: 0.9,
      requests: (service, token) => walk(service, FIRST_PAGE, token),
    },
  ],
});
