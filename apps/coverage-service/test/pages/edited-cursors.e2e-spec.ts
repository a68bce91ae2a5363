import { faultsOfEditedCursors, startTestService, type TestService } from '@fibre/testing';
import { coverageService } from '../../src/coverage-service.js';
import { type Client, create, NODES, operator } from '../access-nodes/access-nodes.js';
import { createRelation, RELATIONS } from '../relations/relations.js';

const WEBHOOKS = '/v2/cov/webhooks/';
const SETTLE_SECONDS = 1;
let service: TestService;
let ano: Client;

beforeAll(async () => {
  service = await startTestService(coverageService, { SETTLE_SECONDS: String(SETTLE_SECONDS) });
  ano = await operator(service);
  for (let count = 0; count < 3; count++) {
    const { relation_id } = await createRelation(ano);
    await create(ano, { relation_id });
    const webhook = { url: 'https://receiver.example/', feed: 'nodes', enabled: false };
    expect((await ano.post(WEBHOOKS).send(webhook)).status).toBe(201);
  }
});
afterAll(() => service.close());

test.each([NODES, RELATIONS, WEBHOOKS, `${NODES}changes/`, '/v2/cov/search/changes/', '/v2/cov/search/relations/'])(
  'an edited cursor of %s is rejected or leads to a page like any other',
  async (listing) => {
    const get = (path: string) => ano.get(path).then();
    expect(await faultsOfEditedCursors(get, `${listing}?_page_size=1`, SETTLE_SECONDS * 1_000)).toEqual([]);
  },
);
