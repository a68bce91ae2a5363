import { readFileSync } from 'node:fs';
import { pageHeaders, startTestService, type TestService } from '@fibre/testing';
import type { OpenAPIObject } from '@nestjs/swagger';
import { eventService } from '../../src/event-service.js';

const PORTAL = 'https://portal.example.net';
const EVENTS = '/api/v2/sys/events/';
const DOCUMENT = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8')) as OpenAPIObject;
const { sent: SENT, read: READ } = pageHeaders(DOCUMENT);
const LISTED = ['PUT', 'POST', 'DELETE', 'GET'];

let service: TestService;
beforeAll(async () => (service = await startTestService(eventService, { CORS_ORIGINS: `${PORTAL} https://other.example.net` })));
afterAll(() => service.close());

const preflight = (origin: string, method: string, base = service.url) =>
  fetch(base + EVENTS, {
    method: 'OPTIONS',
    headers: { origin, 'access-control-request-method': method, 'access-control-request-headers': SENT.join(',') },
  });
const list = (value: string | null) => (value ?? '').split(/\s*,\s*/);

test.each(LISTED)('a page of the portal may send %s', async (method) => {
  const answer = await preflight(PORTAL, method);
  expect(answer.status).toBe(204);
  expect(answer.headers.get('access-control-allow-origin')).toBe(PORTAL);
  expect(answer.headers.get('vary')).toMatch(/origin/i);
  expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
  expect(list(answer.headers.get('access-control-allow-methods'))).toContain(method);
  expect(list(answer.headers.get('access-control-allow-headers'))).toEqual(expect.arrayContaining(SENT));
});

test('the document has headers to send and to read', () => {
  expect(SENT).toEqual(expect.arrayContaining(['authorization', 'content-type', 'if-match', 'namespace', 'traceparent']));
  expect(READ).toEqual(expect.arrayContaining(['link', 'etag', 'location', 'x-page-count', 'x-timezone-release', 'retry-after']));
});

test('a page of the portal may read the headers, including those of errors', async () => {
  const reader = await service.as({ scope: 'events:read' });
  for (const answer of [await reader.get(EVENTS).set('origin', PORTAL), await service.anonymous().get(EVENTS).set('origin', PORTAL)]) {
    expect(answer.headers['access-control-allow-origin']).toBe(PORTAL);
    expect(list(answer.headers['access-control-expose-headers'] as string)).toEqual(expect.arrayContaining(READ));
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
