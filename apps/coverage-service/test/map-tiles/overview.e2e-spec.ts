import { startTestService, type TestService } from '@fibre/testing';
import { coverageService } from '../../src/coverage-service.js';
import { create, operator, TIMESTAMP } from '../access-nodes/access-nodes.js';
import { importFile } from '../node-import/imports.js';
import { createRelation } from '../relations/relations.js';

const OVERVIEW = '/v2/cov/overview';
const NONE = { planned: 0, construction: 0, operation: 0 };

let service: TestService;

beforeAll(async () => void (service = await startTestService(coverageService)));
afterAll(() => service.close());

test("counts a tenant's nodes by collection and stage, and lists its imports and the relations that are waiting for a merge", async () => {
  const ano = await operator(service);
  const empty = { nodes: NONE, prenodes: NONE, relations: 0, waiting: [], imports: [] };
  expect((await ano.get(OVERVIEW).expect(200)).body).toEqual(empty);

  const [waiting, other] = [await createRelation(ano, { name: 'Waiting' }), await createRelation(ano, { name: 'Merged' })];
  const { relation_id } = waiting;
  await create(ano, { relation_id: other.relation_id, token: 'operation' });
  await create(ano, { relation_id, token: 'planned' }, 'prenodes');
  const file = 'center,token\n"48, 16",construction\n"48, 17",construction\n';
  await importFile(ano, file, { query: { target: 'prenodes', relation_id }, key: 'first' });
  await importFile(ano, file, { query: { target: 'prenodes', relation_id, dry_run: 'true' } });

  expect((await ano.get(`${OVERVIEW}/`).expect(200)).body).toEqual({
    nodes: { ...NONE, operation: 1 },
    prenodes: { ...NONE, planned: 1, construction: 2 },
    relations: 2,
    waiting: [{ relation_id, name: 'Waiting', prenodes: 3 }],
    imports: [{ created_at: expect.stringMatching(TIMESTAMP), rows: 2, created: 2, updated: 0, refused: 0 }],
  });
  expect((await (await operator(service, 'ano.other')).get(OVERVIEW)).body).toEqual(empty);
});
