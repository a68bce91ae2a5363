import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Limits } from '@fibre/database';
import { withClient } from '@fibre/embedded-postgres';
import { startTestService, type TestService, until } from '@fibre/testing';
import { coverageService } from '../../src/coverage-service.js';
import { ALL_SCOPES, operator } from '../access-nodes/access-nodes.js';
import { IMPORT, importFile } from './imports.js';

let service: TestService;
// Four connections leave one for imports.
beforeEach(
  async () => void (service = await startTestService(coverageService, { DATABASE_POOL_SIZE: '4', REQUEST_DEADLINE_SECONDS: '1' })),
);
afterEach(() => service.close());

const HEADER = 'relation_id,token,center\n';
const row = (): string => `${randomUUID()},planned,"48.2, 16.3"\n`;

test('an import that has arrived waits for its turn at the database instead of being rejected', async () => {
  const [first, second] = await Promise.all([operator(service, 'ano.first'), operator(service, 'ano.second')]);
  const transactions = [...service.app.get(Limits)].find(({ name }) => name === 'import transactions')!;
  const answers = await withClient(service.databaseUrl, async (client) => {
    await client.query('begin; lock table access_node in access exclusive mode');
    const running = importFile(first, HEADER + row());
    await until('the first import', () => transactions.used === 1);
    const waiting = importFile(second, HEADER + row());
    await until('the second import', () => transactions.waiting === 1);
    // Longer than the deadline of other requests.
    await sleep(1_500);
    await client.query('rollback');
    return Promise.all([running, waiting]);
  });
  expect(answers.map(({ status, body }) => [status, body.created])).toEqual([
    [200, 1],
    [200, 1],
  ]);
});

test('a file may take longer to arrive than other requests may take', async () => {
  async function* rows() {
    yield HEADER;
    for (let count = 0; count < 5; count++) {
      await sleep(500);
      yield row();
    }
  }
  const answer = await fetch(`${service.url}${IMPORT}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${await service.issuer.token({ scope: ALL_SCOPES })}`, 'content-type': 'text/csv' },
    body: ReadableStream.from(rows()).pipeThrough(new TextEncoderStream()),
    duplex: 'half',
  });
  expect([answer.status, await answer.json()]).toEqual([200, expect.objectContaining({ rows: 5, created: 5 })]);
});
