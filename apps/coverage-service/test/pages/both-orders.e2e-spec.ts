import { faultsOfOrders, startTestService, type TestService } from '@fibre/testing';
import { coverageService } from '../../src/coverage-service.js';
import { type Client, create, NODES, operator } from '../access-nodes/access-nodes.js';
import { createRelation, RELATIONS } from '../relations/relations.js';

const WEBHOOKS = '/v2/cov/webhooks/';
let service: TestService;
let ano: Client;

beforeAll(async () => {
  service = await startTestService(coverageService);
  ano = await operator(service);
});
afterAll(() => service.close());

test.each<[string, string, () => Promise<unknown>]>([
  [`${NODES}?`, 'node_id', () => create(ano)],
  [`${NODES}?token=planned&`, 'node_id', () => create(ano, { token: 'planned' })],
  [`${RELATIONS}?`, 'relation_id', () => createRelation(ano)],
  [`${WEBHOOKS}?`, 'webhook_id', () => ano.post(WEBHOOKS).send({ url: 'https://receiver.example/', feed: 'nodes', enabled: false }).then()],
])('%s is read oldest first or newest first, in pages that new records do not change', async (listing, key, add) => {
  // All at once, so that some are created in the same millisecond.
  await Promise.all(Array.from({ length: 5 }, add));
  expect(await faultsOfOrders((path) => ano.get(path).then(), listing, key, add)).toEqual([]);
});
