import { Authorize } from '@fibre/auth';
import { Costs, Deprecated } from '@fibre/server';
import { startTestService, type TestService } from '@fibre/testing';
import { Controller, Get, Module } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import { coverageService } from '../../src/coverage-service.js';

@Controller('v2/cov/old')
class OldController {
  @Get()
  @Authorize('coverage:read')
  @Costs()
  @ApiOkResponse({ description: 'Nothing.' })
  @Deprecated({ since: '2027-01-31', sunset: '2028-01-31' })
  readOld(): object {
    return {};
  }
}

/** The service with a route that will go. */
@Module({})
class WithOldRoute {}

let service: TestService;

beforeAll(async () => {
  service = await startTestService({
    ...coverageService,
    module: (env, url) => ({ module: WithOldRoute, imports: [coverageService.module(env, url)], controllers: [OldController] }),
  });
});
afterAll(() => service.close());

test('each response of a deprecated route says since when it is, and until when it stays', async () => {
  const client = await service.as({ scope: 'coverage:read' });
  for (const [response, status] of [
    [await client.get('/v2/cov/old/'), 200],
    [await client.get('/v2/cov/old?unknown=1'), 422],
    [await service.anonymous().get('/v2/cov/old/'), 401],
  ] as const) {
    expect(response.status).toBe(status);
    expect(response.headers).toMatchObject({ deprecation: '@1801353600', sunset: 'Mon, 31 Jan 2028 00:00:00 GMT' });
  }
  expect((await client.get('/v2/cov/nodes/')).headers).not.toHaveProperty('deprecation');
});

test('the document marks the operation, and no other', async () => {
  const { body } = await service.anonymous().get('/v2/cov/openapi.json');
  const operations = Object.values(body.paths as Record<string, Record<string, Record<string, unknown>>>).flatMap(Object.values) as Record<
    string,
    unknown
  >[];
  expect(operations.filter(({ deprecated }) => deprecated).map(({ operationId }) => operationId)).toEqual(['readOld']);
  expect(body.paths['/v2/cov/old'].get).toMatchObject({
    'x-sunset': '2028-01-31',
    description: 'Deprecated; may be gone from 2028-01-31.',
    responses: { 200: { headers: { Deprecation: {}, Sunset: {} } }, 401: { headers: { Deprecation: {}, Sunset: {} } } },
  });
  expect(JSON.stringify(body)).not.toContain('x-deprecation');
});

test('a route cannot go sooner than docs/compatibility.md promises', () => {
  for (const sunset of ['2028-01-30', 'soon', ''])
    expect(() => Deprecated({ since: '2027-01-31', sunset })).toThrow('the sunset must be 12 months after 2027-01-31');
});
