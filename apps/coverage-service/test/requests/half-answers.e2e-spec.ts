import { readFileSync } from 'node:fs';
import { rawRequest, startRelayedService, streamedFiles } from '@fibre/testing';
import type { OpenAPIObject } from '@nestjs/swagger';
import { coverageService } from '../../src/coverage-service.js';
import { ALL_SCOPES, SEARCH } from '../access-nodes/access-nodes.js';
import { sql } from '../database/sql.js';
import { TYPES } from '../node-import/imports.js';

const DOCUMENT = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8')) as OpenAPIObject;
const FILES = streamedFiles(DOCUMENT).map((file) => [`${file.method} ${file.path} as ${file.format}`, file] as const);
/** Well beyond what the relay passes on. */
const NODES = 1_000;
const BYTES = 20_000;

let service: Awaited<ReturnType<typeof startRelayedService>>;
let authorization: string;
beforeAll(async () => {
  service = await startRelayedService(coverageService);
  authorization = `authorization: Bearer ${await service.issuer.token({ tenant: 'ano.test', scope: ALL_SCOPES })}`;
  await sql(
    service.databaseUrl,
    `insert into access_node (node_id, tenant, relation_id, collection, token, latitude, longitude, status, customer_reference, lot_id)
     select gen_random_uuid(), 'ano.test', gen_random_uuid(), 'nodes', 'planned', 48, 16, 'active', repeat('x', 100) || n, repeat('y', 60)
     from generate_series(1, $1) n`,
    [NODES],
  );
});
afterAll(() => service.close());

const headOf = (line: string, ...more: string[]): string[] => [line, 'host: test', authorization, ...more];
const chunk = (text: string): string => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
const PLACE = '{"center":"48,16"}\n';

test('the document has three operations that send a file, in four formats each', () => {
  expect(FILES).toHaveLength(12);
});

test.each(FILES)('%s is refused over HTTP/1.0, where a part looks like the whole', async (_name, { method, path, format }) => {
  const body = method === 'post' ? PLACE : '';
  const head = headOf(
    `${method.toUpperCase()} ${path}?format=${format} HTTP/1.0`,
    `content-type: ${TYPES.ndjson}`,
    `content-length: ${body.length}`,
  );
  const { text } = await rawRequest(service.url, head, body);
  expect(text).toMatch(/^HTTP\/1\.1 426 /);
  expect(text).toMatch(/^upgrade: HTTP\/1\.1\r$/im);
  expect(text).toContain('"code":"http-version"');
  expect(text).toContain('proxy_http_version 1.1');
});

test.each(FILES.filter(([, { method }]) => method === 'get'))(
  '%s ends with a reset if the database breaks',
  async (_name, { path, format }) => {
    service.relay.cutAfter('copy (', BYTES);
    const { text, end } = await rawRequest(service.url, headOf(`GET ${path}?format=${format} HTTP/1.1`));
    expect(text).toMatch(/^HTTP\/1\.1 200 /);
    expect([end, text.endsWith('0\r\n\r\n')]).toEqual(['reset', false]);
  },
);

test('a search of a file ends with a reset if the database breaks', async () => {
  const head = headOf(`POST ${SEARCH} HTTP/1.1`, `content-type: ${TYPES.ndjson}`, 'transfer-encoding: chunked');
  const { text, end } = await rawRequest(service.url, head, chunk(PLACE.repeat(5_000)) + '0\r\n\r\n', () => service.relay.cut());
  await service.relay.mend();
  expect(text).toMatch(/^HTTP\/1\.1 200 /);
  expect(end).toBe('reset');
});
