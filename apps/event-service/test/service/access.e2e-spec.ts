import { declaredRoutes, startTestService, type TestService } from '@fibre/testing';
import { generateKeyPair } from 'jose';
import { eventService } from '../../src/event-service.js';
import { EVENTS, newEntity, notification } from '../events/events.js';

const ID = '00000000-0000-7000-8000-000000000000';
let service: TestService;

beforeAll(async () => {
  service = await startTestService(eventService);
});
afterAll(() => service.close());

test('every route requires a token, its scope and a tenant', async () => {
  const routes = declaredRoutes(service.app).filter(({ isPublic }) => !isPublic);
  expect(routes.map(({ method, path, authorization }) => `${method} ${path} ${authorization?.anyOf.join()}`).sort()).toEqual([
    'DELETE /api/v2/sys/entities/:entity_id/personal-data events:erase',
    'DELETE /api/v2/sys/isps/:partner_id events:write',
    'DELETE /api/v2/sys/webhooks/:webhook_id events:write,charges:read',
    'GET /api/v2/sys/charges charges:read',
    'GET /api/v2/sys/charges/closings charges:read',
    'GET /api/v2/sys/charges/closings/:closing_id charges:read',
    'GET /api/v2/sys/charges/corrections charges:read',
    'GET /api/v2/sys/charges/lines charges:read',
    'GET /api/v2/sys/charges/lines/changes charges:read',
    'GET /api/v2/sys/charges/lines/export charges:read',
    'GET /api/v2/sys/charges/totals charges:read',
    'GET /api/v2/sys/closings events:read',
    'GET /api/v2/sys/closings/:closing_id events:read',
    'GET /api/v2/sys/entities events:read',
    'GET /api/v2/sys/entities/:entity_id events:read',
    'GET /api/v2/sys/events events:read',
    'GET /api/v2/sys/events/:event_id events:read',
    'GET /api/v2/sys/events/changes events:read',
    'GET /api/v2/sys/events/export events:read',
    'GET /api/v2/sys/events/latest events:read',
    'GET /api/v2/sys/events/refused events:read',
    'GET /api/v2/sys/find events:read',
    'GET /api/v2/sys/isps events:read',
    'GET /api/v2/sys/isps/:partner_id events:read',
    'GET /api/v2/sys/overview events:read',
    'GET /api/v2/sys/overview/trend events:read',
    'GET /api/v2/sys/periods events:read',
    'GET /api/v2/sys/periods/corrections events:read',
    'GET /api/v2/sys/periods/export events:read',
    'GET /api/v2/sys/periods/totals events:read',
    'GET /api/v2/sys/periods/totals/export events:read',
    'GET /api/v2/sys/webhooks events:read,charges:read',
    'GET /api/v2/sys/webhooks/:webhook_id events:read,charges:read',
    'PATCH /api/v2/sys/webhooks/:webhook_id events:write,charges:read',
    'POST /api/v2/sys/closings closings:write,events:write',
    'POST /api/v2/sys/isps events:write',
    'POST /api/v2/sys/webhooks events:write,charges:read',
    'POST /api/v2/sys/webhooks/:webhook_id/rotate events:write,charges:read',
    'POST /api/v2/sys/webhooks/:webhook_id/test events:write,charges:read',
    'PUT /api/v2/sys/events events:write',
    'PUT /api/v2/sys/isps/:partner_id events:write',
  ]);
  const [anonymous, other] = [service.anonymous(), await service.as({ scope: 'coverage:read something:else' })];
  const nobody = await service.as({ scope: 'events:read events:write events:erase charges:read', tenant: null });
  for (const { method, path } of routes) {
    for (const url of [path, `${path}/`].map((text) => text.replaceAll(/:\w+/g, ID))) {
      const verb = method.toLowerCase() as 'get';
      const bare = await anonymous[verb](url);
      expect([method, url, bare.status, bare.body.code, bare.headers['www-authenticate']]).toEqual([
        method,
        url,
        401,
        'token-missing',
        'Bearer realm="open-access-fibre"',
      ]);
      const wrong = await other[verb](url);
      expect([method, url, wrong.status, wrong.body.code]).toEqual([method, url, 403, 'scope-missing']);
      const tenantless = await nobody[verb](url);
      expect([method, url, tenantless.status, tenantless.body.code]).toEqual([method, url, 403, 'tenant-missing']);
    }
  }
});

test('a clerk closes a month, but records no event', async () => {
  const clerk = await service.as({ scope: 'events:read closings:write' });
  expect((await clerk.put(EVENTS).send(notification(newEntity(), 1))).body.code).toBe('scope-missing');
  await clerk.get('/api/v2/sys/periods/totals').query({ from: '2026-01-01', to: '2026-02-01' }).expect(200);
  await clerk.post('/api/v2/sys/closings').send({ from: '2026-01-01', to: '2026-02-01' }).expect(201);
  await clerk.post('/api/v2/sys/isps').send({ name: 'None' }).expect(403);
});

test('the scope for reading does not allow writing, and vice versa', async () => {
  const [reader, writer] = [await service.as({ scope: 'events:read' }), await service.as({ scope: 'events:write' })];
  expect([(await reader.get(EVENTS)).status, (await writer.get(EVENTS)).status]).toEqual([200, 403]);
  const body = notification(newEntity(), 1);
  expect([(await reader.put(EVENTS).send(body)).status, (await writer.put(EVENTS).send(body)).status]).toEqual([403, 201]);
});

test('forged and expired tokens are rejected', async () => {
  const forger = await generateKeyPair('RS256');
  const past = Math.floor(Date.now() / 1_000) - 3_600;
  for (const token of [
    { key: forger.privateKey },
    { claims: { exp: past } },
    { claims: { aud: 'somebody-else' } },
    { claims: { iss: 'http://127.0.0.1:9/' } },
  ]) {
    const response = await (await service.as({ scope: 'events:read', ...token })).get(EVENTS);
    expect([response.status, response.body.code]).toEqual([401, 'token-invalid']);
  }
});

test('the OpenAPI document and its pages need no token', async () => {
  const anonymous = service.anonymous();
  const document = await anonymous.get(`${EVENTS}openapi.json`);
  expect([document.status, document.body.openapi]).toEqual([200, '3.1.0']);
  expect((await anonymous.get(`${EVENTS}docs`)).status).toBe(200);
  expect((await anonymous.get('/health/ready')).status).toBe(200);
});

test('wrong methods and paths are rejected', async () => {
  const client = await service.as({ scope: 'events:read events:write' });
  const wrong = await client.post(EVENTS).send({});
  expect([wrong.status, wrong.headers.allow]).toEqual([405, 'GET, HEAD, PUT']);
  expect((await client.delete(`${EVENTS}${ID}/`)).headers.allow).toBe('GET, HEAD');
  expect((await client.get(`${EVENTS}${ID}/more`)).body.code).toBe('route-not-found');
});
