import { mock } from 'node:test';
import { startTestService, type TestService } from '@fibre/testing';
import { coverageService } from '../../src/coverage-service.js';

let service: TestService;

beforeAll(async () => {
  service = await startTestService(coverageService);
});
afterEach(() => mock.timers.reset());
afterAll(() => service.close());

test("only writes are rejected while the clock differs from the database's by more than two seconds", async () => {
  const client = await service.as({ scope: 'coverage:read coverage:write' });
  const create = () => client.post('/v2/cov/relations/').send({ name: 'One', pip: 'PIP' });
  for (const difference of [-3_000, 3_000]) {
    mock.timers.enable({ apis: ['Date'], now: Date.now() + difference });
    const refused = await create();
    expect([refused.status, refused.body.code, refused.headers['retry-after']]).toEqual([503, 'unavailable', '2']);
    expect((await client.get('/v2/cov/relations/')).body).toEqual([]);
    mock.timers.reset();
  }
  expect((await create()).status).toBe(201);
});
