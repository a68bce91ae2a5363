import { jest } from '@jest/globals';
import { startTestService, type TestService } from '@fibre/testing';
import { coverageService } from '../src/coverage-service.js';

let service: TestService;

beforeAll(async () => {
  service = await startTestService(coverageService);
});
afterEach(() => jest.useRealTimers());
afterAll(() => service.close());

const TIMERS = ['hrtime', 'nextTick', 'performance', 'queueMicrotask', 'setImmediate', 'clearImmediate'] as const;
const MORE_TIMERS = ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] as const;

test('writes are refused while the clock differs from the clock of the database by more than two seconds, and reads are not', async () => {
  const client = await service.as({ scope: 'coverage:read coverage:write' });
  const create = () => client.post('/v2/cov/relations/').send({ name: 'One', pip: 'PIP' });
  for (const difference of [-3_000, 3_000]) {
    jest.useFakeTimers({ now: Date.now() + difference, doNotFake: [...TIMERS, ...MORE_TIMERS] });
    const refused = await create();
    expect([refused.status, refused.body.code, refused.headers['retry-after']]).toEqual([503, 'unavailable', '2']);
    expect((await client.get('/v2/cov/relations/')).body).toEqual([]);
    jest.useRealTimers();
  }
  expect((await create()).status).toBe(201);
});
