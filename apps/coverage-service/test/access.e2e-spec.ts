import { declaredRoutes, startTestService, type TestService } from '@fibre/testing';
import { coverageService } from '../src/coverage-service.js';

const ID = '00000000-0000-7000-8000-000000000000';
let service: TestService;

beforeAll(async () => {
  service = await startTestService(coverageService);
});
afterAll(() => service.close());

test('every route asks for a token, and for its scope', async () => {
  const routes = declaredRoutes(service.app).filter(({ isPublic }) => !isPublic);
  expect(routes.length).toBeGreaterThanOrEqual(8);
  const [anonymous, other] = [service.anonymous(), await service.as({ scope: 'something:else' })];
  for (const { method, path } of routes) {
    for (const url of [path, `${path}/`].map((text) => text.replaceAll(/:\w+/g, ID))) {
      const verb = method.toLowerCase() as 'get';
      const bare = await anonymous[verb](url);
      expect([method, url, bare.status, bare.body.code, bare.headers['www-authenticate']]).toEqual([method, url, 401, 'token-missing', 'Bearer']);
      const wrong = await other[verb](url);
      expect([method, url, wrong.status, wrong.body.code]).toEqual([method, url, 403, 'scope-missing']);
    }
  }
});
