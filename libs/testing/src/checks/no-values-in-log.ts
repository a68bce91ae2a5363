import { setTimeout as sleep } from 'node:timers/promises';
import { cloneDatabase } from '../database/clone-database.js';
import { MARK, type MarkedDocument, markedRequests } from './marked-requests.js';
import { startServiceProcess } from '../processes/service-process.js';
import { startTestIssuer, TEST_AUDIENCE } from '../test-issuer.js';
import { withClient } from '@fibre/embedded-postgres';

const PATIENCE_MS = 2_000;

/** A request that succeeds if the database works. */
export interface ValidRequest {
  readonly method: string;
  readonly path: string;
  readonly body: object;
}

/**
 * Sends requests whose texts are all marked, valid and invalid ones, once as usual and once with all tables locked, and expects that the log
 * does not contain the mark: it must never have what a person wrote.
 */
export async function expectNoValuesInLog(
  name: string,
  document: MarkedDocument,
  scope: string,
  tables: readonly string[],
  valid: (mark: string) => readonly ValidRequest[],
): Promise<void> {
  const [issuer, database] = await Promise.all([startTestIssuer(), cloneDatabase()]);
  const service = await startServiceProcess(name, {
    DATABASE_URL: `${database.url}?lock_timeout=100`,
    OAUTH_ISSUER: issuer.url,
    OAUTH_AUDIENCE: TEST_AUDIENCE,
    LOG_LEVEL: 'trace',
  });
  const authorization = `Bearer ${await issuer.token({ scope })}`;
  const statuses: number[] = [];
  const send = async (method: string, path: string, headers: Readonly<Record<string, string>>, body?: string): Promise<void> => {
    // Bulk operations wait for a lock for a minute; a request whose client leaves is logged too.
    const signal = AbortSignal.timeout(PATIENCE_MS);
    await fetch(service.url + path, { method: method.toUpperCase(), headers: { authorization, ...headers }, body, signal }).then(
      async (answer) => {
        statuses.push(answer.status);
        await answer.arrayBuffer();
      },
      () => statuses.push(499),
    );
  };
  const sendAll = async (turn: string): Promise<void> => {
    for (const { method, path, body } of valid(`${MARK}-${turn}`))
      await send(method, path, { 'content-type': 'application/json' }, JSON.stringify(body));
    for (const { method, path, headers, body } of markedRequests(document)) await send(method, path, headers, body);
  };
  try {
    await sendAll('works');
    expect(statuses.slice(0, 3)).toEqual([201, 201, 201]);
    const before = statuses.length;
    await withClient(database.url, async (client) => {
      await client.query('begin');
      await client.query(`lock table ${tables.join(', ')} in access exclusive mode`);
      await sendAll('locked');
      await client.query('rollback');
    });
    expect(statuses.slice(before, before + 3)).toEqual([503, 503, 503]);
    await sleep(500);
    const log = service.log();
    expect(log.filter(({ operation }) => operation !== undefined).length).toBeGreaterThan(statuses.length / 2);
    expect(log.map((line) => JSON.stringify(line)).filter((line) => line.includes(MARK))).toEqual([]);
  } finally {
    await service.kill();
    await Promise.all([issuer.close(), database.drop()]);
  }
}
