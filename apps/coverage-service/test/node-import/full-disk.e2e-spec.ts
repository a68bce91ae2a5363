import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type ClonedDatabase,
  cloneDatabase,
  freePort,
  programArgs,
  ServiceProcess,
  startTestIssuer,
  TEST_AUDIENCE,
  type TestIssuer,
} from '@fibre/testing';
import { ALL_SCOPES, SEARCH } from '../access-nodes/access-nodes.js';
import { IMPORT, TYPES } from './imports.js';

/** Half a kilobyte each, in most shells. */
const LARGEST_FILE_BLOCKS = 256;
const HEADER = 'token,latitude,longitude,lot_id\n';
const NODE = 'planned,48.2,16.2,a\n';
const PLACE = '{"center":"48.2,16.2"}\n';
/** Longer than the disk, so the search has no result yet. */
const LONG_PLACE = PLACE.replace('}', `,"more":"${'€'.repeat(60_000)}"}`);

let issuer: TestIssuer;
let database: ClonedDatabase;
let service: ServiceProcess;
let authorization: string;
let spool: string;

// The largest size of a file acts like a full disk: a part of the next bytes is written, and then nothing more.
beforeAll(async () => {
  spool = await mkdtemp(join(tmpdir(), 'spool-'));
  [issuer, database] = await Promise.all([startTestIssuer(), cloneDatabase()]);
  authorization = `Bearer ${await issuer.token({ scope: ALL_SCOPES })}`;
  const settings = { DATABASE_URL: database.url, OAUTH_ISSUER: issuer.url, OAUTH_AUDIENCE: TEST_AUDIENCE, SPOOL_DIR: spool };
  const { PATH, HOME, TMPDIR } = process.env;
  service = new ServiceProcess(
    'coverage-service',
    await freePort(),
    { PATH, HOME, TMPDIR, ...settings },
    { command: 'sh', args: ['-c', `ulimit -f ${LARGEST_FILE_BLOCKS} && exec "$0" "$@"`, process.execPath, ...programArgs('src/main.ts')] },
  );
  await service.ready();
});
afterAll(async () => {
  await service.stop();
  await Promise.all([issuer.close(), database.drop(), rm(spool, { recursive: true })]);
});

test.each([
  ['an import', (): string => `${IMPORT}?relation_id=${randomUUID()}`, TYPES.csv, HEADER + NODE.repeat(20_000), HEADER + NODE],
  ['a search for many places', (): string => SEARCH, TYPES.ndjson, LONG_PLACE.repeat(2), PLACE],
])('%s that fills the disk gets 503 and gives everything back', async (_title, path, type, file, small) => {
  const send = (body: string): Promise<Response> =>
    fetch(service.url + path(), { method: 'POST', headers: { authorization, 'content-type': type }, body });
  for (let n = 0; n < 2; n++) {
    const refused = await send(file);
    expect([refused.status, await refused.json()]).toEqual([
      503,
      expect.objectContaining({ code: 'unavailable', detail: expect.stringContaining('disk space') as string }),
    ]);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  }
  expect(await (await fetch(`${service.url}/metrics`)).text()).toMatch(/^limit_used\{limit="spool bytes"\} 0$/m);
  const next = await send(small);
  expect([next.status, await next.text()]).toEqual([200, expect.any(String)]);
});
