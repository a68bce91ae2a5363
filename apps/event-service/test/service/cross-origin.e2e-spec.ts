import { startTestService, type TestService } from '@fibre/testing';
import { eventService } from '../../src/event-service.js';

const PORTAL = 'https://portal.example.net';
const EVENTS = '/api/v2/sys/events/';
const LISTED = ['PUT', 'POST', 'DELETE', 'GET'];

let service: TestService;
beforeAll(async () => (service = await startTestService(eventService, { CORS_ORIGINS: `${PORTAL} https://other.example.net` })));
afterAll(() => service.close());

const preflight = (origin: string, method: string, base = service.url) =>
  fetch(base + EVENTS, {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': method,
      'access-control-request-headers': 'authorization,content-type,if-match,namespace',
    },
  });
const list = (value: string | null) => (value ?? '').split(/\s*,\s*/);

test.each(LISTED)('a page of the portal may send %s', async (method) => {
  const answer = await preflight(PORTAL, method);
  expect(answer.status).toBe(204);
  expect(answer.headers.get('access-control-allow-origin')).toBe(PORTAL);
  expect(answer.headers.get('vary')).toMatch(/origin/i);
  expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
  expect(list(answer.headers.get('access-control-allow-methods'))).toContain(method);
  expect(list(answer.headers.get('access-control-allow-headers'))).toEqual(
    expect.arrayContaining(['authorization', 'content-type', 'if-match', 'namespace']),
  );
});

test('a page of the portal may read the headers, including those of errors', async () => {
  const exposed = ['link', 'etag', 'location', 'x-page-count', 'x-page-size', 'x-request-id', 'x-settled-until', 'retry-after'];
  const reader = await service.as({ scope: 'events:read' });
  for (const answer of [await reader.get(EVENTS).set('origin', PORTAL), await service.anonymous().get(EVENTS).set('origin', PORTAL)]) {
    expect(answer.headers['access-control-allow-origin']).toBe(PORTAL);
    expect(list(answer.headers['access-control-expose-headers'] as string)).toEqual(expect.arrayContaining(exposed));
  }
});

test('a page from another origin may not send requests', async () => {
  for (const origin of ['https://elsewhere.example', 'null', `${PORTAL}.example`]) {
    expect((await preflight(origin, 'PUT')).headers.get('access-control-allow-origin')).toBeNull();
  }
});

test('without configured origins, no page may send requests, and a preflight gets 405', async () => {
  const closed = await startTestService(eventService, { CORS_ORIGINS: '' });
  const answer = await preflight(PORTAL, 'PUT', closed.url);
  expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([405, null]);
  await closed.close();
});

test.each(['portal.example.net', 'https://portal.example.net/', 'https://portal.example.net/v2', '*', 'ftp://portal.example.net'])(
  '%s is not an origin',
  (origin) => {
    process.env.CORS_ORIGINS = origin;
    try {
      expect(() => eventService.readEnv()).toThrow('CORS_ORIGINS: must be origins');
    } finally {
      delete process.env.CORS_ORIGINS;
    }
  },
);
