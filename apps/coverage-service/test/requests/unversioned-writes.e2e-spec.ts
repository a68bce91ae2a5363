import { faultsOfConditions, startTestService, type TestService } from '@fibre/testing';
import { coverageService } from '../../src/coverage-service.js';
import { ALL_SCOPES, create, NODES, operator, problemOf } from '../access-nodes/access-nodes.js';

let service: TestService;
beforeAll(async () => void (service = await startTestService(coverageService)));
afterAll(() => service.close());

test('If-Match and If-None-Match are refused by every write that has no version to compare', async () => {
  const document = (await service.anonymous().get('/v2/cov/openapi.json')).body as never;
  const token = await service.issuer.token({ tenant: 'ano.test', scope: ALL_SCOPES });
  expect(await faultsOfConditions(document, service.url, token)).toEqual([]);
});

test('the problem names the header, nothing is changed, and a list is read as usual', async () => {
  const ano = await operator(service);
  const { relation_id } = await create(ano, {}, 'prenodes');
  const refused = await ano.put(NODES).query({ relation_id }).set('if-match', '"1"');
  expect(problemOf(refused)).toEqual({ status: 422, code: 'invalid-request', offenders: ['if-match'] });
  const listed = await ano.get(NODES).query({ relation_id, target: 'prenodes' }).set('if-none-match', '"1"');
  expect([listed.status, listed.body.length]).toEqual([200, 1]);
});
