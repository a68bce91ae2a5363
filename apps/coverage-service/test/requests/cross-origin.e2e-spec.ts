import { readFileSync } from 'node:fs';
import { pageHeaders, startTestService } from '@fibre/testing';
import type { OpenAPIObject } from '@nestjs/swagger';
import { coverageService } from '../../src/coverage-service.js';
import { NODES } from '../access-nodes/access-nodes.js';

const PORTAL = 'https://portal.example.net';
const DOCUMENT = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8')) as OpenAPIObject;
const { sent, read } = pageHeaders(DOCUMENT);
const list = (value: string | null) => (value ?? '').split(/\s*,\s*/);

test('a page of another origin may send and read every header of the document', async () => {
  expect(sent).toEqual(expect.arrayContaining(['authorization', 'content-encoding', 'idempotency-key', 'if-match', 'traceparent']));
  expect(read).toEqual(expect.arrayContaining(['content-disposition', 'etag', 'link', 'x-page-count']));
  const service = await startTestService(coverageService, { CORS_ORIGINS: PORTAL });
  try {
    const preflight = await fetch(service.url + NODES, {
      method: 'OPTIONS',
      headers: { origin: PORTAL, 'access-control-request-method': 'POST', 'access-control-request-headers': sent.join(',') },
    });
    const answer = await fetch(service.url + NODES, { headers: { origin: PORTAL } });
    expect(list(preflight.headers.get('access-control-allow-headers'))).toEqual(expect.arrayContaining(sent));
    expect(list(answer.headers.get('access-control-expose-headers'))).toEqual(expect.arrayContaining(read));
  } finally {
    await service.close();
  }
});
