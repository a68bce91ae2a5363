import { nodesDataset } from '../coverage-service/load-nodes.js';
import { inhabitedPoints, LISTED_TENANT } from '../coverage-service/towns.js';
import { activationOf, EVENTS } from '../event-service/activation.js';
import { eventsDataset, TENANT } from '../event-service/load-events.js';
import type { Token } from '../issuer.js';
import type { Options } from '../options.js';
import { type BenchRequest, NEW_ID } from '../requests.js';
import type { Dataset } from '../dataset.js';

/** What is sent to a service that has more to do than it can. */
export interface OverloadSuite {
  requests: BenchRequest[];
  /** One for each of the clients. */
  tokens: string[];
  /** A page of the greatest size, for clients that do not read it. */
  page: { path: string; token: string };
}

export interface OverloadSubject {
  service: string;
  /** What is sent, in words. */
  title: string;
  dataset: (options: Options) => Dataset;
  prepare: (token: Token) => Promise<OverloadSuite>;
}

const CLIENTS = 21;
const [SEARCHES, SEARCH_SEED] = [20_000, 99];
const ENTITIES = 100;

const tokensFor = (token: Token, tenant: string, scope: string): Promise<string[]> =>
  Promise.all(Array.from({ length: CLIENTS }, () => token(tenant, scope)));

export const overloadSubjects: OverloadSubject[] = [
  {
    service: 'coverage-service',
    title: 'Searches, 5 nearest within 100 m',
    dataset: ({ nodes }) => nodesDataset(nodes),
    prepare: async (token) => ({
      requests: inhabitedPoints(SEARCHES, SEARCHES, SEARCH_SEED).map(([latitude, longitude]) => ({
        path: `/v2/cov/search?center=${latitude},${longitude}&limit=5&search_radius=100`,
      })),
      tokens: await tokensFor(token, 'isp.one', 'coverage:search'),
      page: { path: '/v2/cov/nodes?_page_size=2000', token: await token(LISTED_TENANT, 'coverage:read') },
    }),
  },
  {
    service: 'event-service',
    title: 'PUTs of new activations',
    dataset: ({ events }) => eventsDataset(events, Math.round(events / ENTITIES)),
    prepare: async (token) => ({
      requests: [activationOf(NEW_ID)],
      tokens: await tokensFor(token, TENANT, 'events:write'),
      page: { path: `${EVENTS}?_page_size=2000`, token: await token(TENANT, 'events:read') },
    }),
  },
];
