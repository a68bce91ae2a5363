import { readFileSync } from 'node:fs';
import { rawRequest, startRelayedService, streamedFiles, until } from '@fibre/testing';
import type { OpenAPIObject } from '@nestjs/swagger';
import { eventService } from '../../src/event-service.js';
import { activation, newEntity, PARTNER, READ_WRITE, requestsOf } from '../events/events.js';

const DOCUMENT = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8')) as OpenAPIObject;
const FILES = streamedFiles(DOCUMENT).map((file) => [`${file.path} as ${file.format}`, file] as const);
const BYTES = 16_384;
const ENTITIES = 30;
/** An operator that is its own ISP. */
const CALLER = { tenant: 'ano.test', scope: `${READ_WRITE.scope} charges:read` };

let service: Awaited<ReturnType<typeof startRelayedService>>;
let authorization: string;
beforeAll(async () => {
  service = await startRelayedService(eventService);
  authorization = `authorization: Bearer ${await service.issuer.token(CALLER)}`;
  const client = await service.as(CALLER);
  await client.put(`/api/v2/sys/isps/${PARTNER}/`).send({ name: 'Own', isp_tenant: CALLER.tenant }).expect(201);
  const { record } = requestsOf(client);
  // Each has 64 lines of an invoice of its own, and an event of 16 KB.
  for (let n = 0; n < ENTITIES; n++) {
    const article_codes = Array.from({ length: 64 }, (_, code) => `ARTICLE-${n}-${code}`);
    await record(
      activation(newEntity(), 1, { sys_attributes: { partner_id: PARTNER, article_codes }, usr_attributes: { text: 'x'.repeat(16_000) } }),
    );
  }
  await until('the events are settled', async () => {
    const { body } = await client.get('/api/v2/sys/periods/').query({ from: '2026-01-01', to: '2026-02-01' });
    return (body as unknown[]).length === ENTITIES;
  });
});
afterAll(() => service.close());

const requestOf = ({ path, format }: { path: string; format: string }, version: string): string[] => {
  const window = path.includes('/periods') ? '&from=2026-01-01&to=2026-02-01' : '';
  return [`GET ${path}?format=${format}${window} HTTP/${version}`, 'host: test', authorization];
};

test('the document has four operations that send a file, in two formats each', () => {
  expect(FILES).toHaveLength(8);
});

test.each(FILES)('%s is refused over HTTP/1.0, where a part looks like the whole', async (_name, file) => {
  const { text } = await rawRequest(service.url, requestOf(file, '1.0'));
  expect(text).toMatch(/^HTTP\/1\.1 426 /);
  expect(text).toContain('"code":"http-version"');
});

test.each(FILES)('%s ends with a reset if the database breaks', async (_name, file) => {
  service.relay.cutAfter('copy (', BYTES);
  const { text, end } = await rawRequest(service.url, requestOf(file, '1.1'));
  expect(text).toMatch(/^HTTP\/1\.1 200 /);
  expect([end, text.endsWith('0\r\n\r\n')]).toEqual(['reset', false]);
});
