import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { startTestService, type TestService } from '@fibre/testing';
import { coverageService } from '../../src/coverage-service.js';
import { type Client, create, list, operator, problemOf, refusal } from '../access-nodes/access-nodes.js';
import { counts, done, importFile } from './imports.js';

const HEADER = 'token,latitude,longitude\n';
const ROW = 'planned,48.2,16.2\n';

let service: TestService;
let ano: Client;
let relation_id: string;

beforeAll(async () => {
  service = await startTestService(coverageService, { SPOOL_MAX_BYTES: '100000' });
  ano = await operator(service);
});
beforeEach(() => void (relation_id = randomUUID()));
afterAll(() => service.close());

const send = (file: string, gzip = false) => importFile(ano, file, { gzip, query: { relation_id } });

test('a full spool rejects only imports, and is empty afterwards', async () => {
  const refused = await send(HEADER + ROW.repeat(2_000));
  expect([problemOf(refused), refused.headers['retry-after']]).toEqual([refusal(503, 'unavailable'), expect.stringMatching(/^\d+$/)]);
  expect(await list(ano, { relation_id })).toEqual([]);
  expect((await create(ano, { relation_id })).relation_id).toBe(relation_id);
  expect((await service.anonymous().get('/metrics')).text).toMatch(/^import_spool_bytes 0$/m);
  expect(counts(await send(HEADER + ROW))).toEqual(done({ rows: 1, created: 1 }));
});

test('gzip that expands more than a hundredfold is rejected before it is read completely', async () => {
  const bomb = `${HEADER}${'\n'.repeat(20 * 1_048_576)}`;
  expect(gzipSync(bomb).length).toBeLessThan(30_000);
  expect(problemOf(await send(bomb, true))).toEqual(refusal(413, 'payload-too-large'));
});
