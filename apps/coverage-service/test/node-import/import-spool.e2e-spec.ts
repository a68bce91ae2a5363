import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { startTestService, type TestService } from '@fibre/testing';
import { volume } from '@fibre/testing/volume';
import { coverageService } from '../../src/coverage-service.js';
import { ALL_SCOPES, type Client, create, list, operator, problemOf, refusal, SEARCH } from '../access-nodes/access-nodes.js';
import { counts, done, IMPORT, importFile } from './imports.js';

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
  expect((await service.anonymous().get('/metrics')).text).toMatch(/^limit_used\{limit="spool bytes"\} 0$/m);
  expect(counts(await send(HEADER + ROW))).toEqual(done({ rows: 1, created: 1 }));
});

test('gzip that expands more than a hundredfold is rejected before it is read completely', async () => {
  const bomb = `${HEADER}${'\n'.repeat(20 * 1_048_576)}`;
  expect(gzipSync(bomb).length).toBeLessThan(30_000);
  const answer = await send(bomb, true);
  expect(problemOf(answer)).toEqual(refusal(413, 'payload-too-large'));
  expect(answer.body.detail).toContain('a hundred times its compressed size');
});

/** Rows of a file that doesn't fit into the buffers of a connection. */
const LONG = volume(20_000, 100_000);
const long = (header: string): string => header + Array.from({ length: LONG }, () => `x,${randomBytes(16).toString('hex')},x\n`).join('');

test.each<[string, string, string, number]>([
  ['an import that fills the spool', `${IMPORT}?relation_id=${randomUUID()}`, HEADER + ROW.repeat(3 * LONG), 503],
  ['an import with unknown columns', `${IMPORT}?relation_id=${randomUUID()}`, long('a,b,c\n'), 422],
  ['an import with a quote in a cell', `${IMPORT}?relation_id=${randomUUID()}`, long(`${HEADER}planned,4"8,16\n`), 400],
  ['a search without places', SEARCH, long('a,b,c\n'), 422],
])('%s is refused before its end, and its connection can be used again', async (_title, path, file, status) => {
  const authorization = `Bearer ${await service.issuer.token({ scope: ALL_SCOPES })}`;
  for (const isCompressed of [false, true]) {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const send = async (body: string | Buffer, encoding = 'identity'): Promise<number> => {
      const headers = { authorization, 'content-type': 'text/csv', 'content-encoding': encoding };
      const sending = request(service.url + path, { agent, method: 'POST', headers });
      sending.on('error', () => undefined).end(body);
      const [answer] = (await once(sending, 'response')) as [IncomingMessage];
      await text(answer);
      return answer.statusCode!;
    };
    expect(await (isCompressed ? send(gzipSync(file), 'gzip') : send(file))).toBe(status);
    expect(await send(HEADER + ROW)).toBe(200);
    agent.destroy();
  }
});
