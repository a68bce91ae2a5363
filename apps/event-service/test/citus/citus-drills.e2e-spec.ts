import { createDatabaseStatement } from '@fibre/embedded-postgres';
import { startTestService, type TestService, until } from '@fibre/testing';
import { volume } from '@fibre/testing/volume';
import pg from 'pg';
import { eventService } from '../../src/event-service.js';
import { AcknowledgedTraffic } from '../order/acknowledged-traffic.js';
import { READ_WRITE } from '../events/events.js';

/**
 * What clients see when parts of a cluster fail or move. These tests kill servers, so they only run on request: they need `CITUS_URL` and
 * `CITUS_DRILLS=1`, and the test that adds a worker also needs `CITUS_SPARE=host:port`. Servers are killed and restarted through SQL, so
 * the role must be a superuser.
 */
const asked = process.env.CITUS_URL && process.env.CITUS_DRILLS ? describe : describe.skip;
const REQUESTS = volume(2_000, 10_000);
const DOWN_SECONDS = 3;

asked('drills on Citus', () => {
  let service: TestService;
  let traffic: AcknowledgedTraffic;

  beforeEach(async () => {
    service = await startTestService(eventService, { REQUEST_DEADLINE_SECONDS: '10' });
    const token = await service.issuer.token({ ...READ_WRITE, claims: { exp: Math.floor(Date.now() / 1_000) + 3_600 } });
    traffic = new AcknowledgedTraffic(service.url, token, REQUESTS);
  });
  afterEach(async () => {
    await service.close();
  });

  const onServer = async <T extends object>(url: string, text: string): Promise<T[]> => {
    const client = new pg.Client(url);
    client.on('error', () => undefined);
    await client.connect();
    try {
      return (await client.query<T>(text)).rows;
    } finally {
      // Not awaited: a program started by the server inherits the socket and keeps it open.
      void client.end();
    }
  };

  /** Kills the postmaster of a server with `kill -9`, and restarts it unless something else does. */
  async function kill(url: string): Promise<void> {
    const [{ bin }] = (await onServer(url, `select setting as bin from pg_config where name = 'BINDIR'`)) as [{ bin: string }];
    const script = `sleep 0.2; kill -9 $(head -1 postmaster.pid); sleep ${DOWN_SECONDS}; ${bin}/pg_ctl -D . -l restart.log start`;
    await onServer(
      url,
      `copy (select 1) to program 'cat >/dev/null; setsid nohup sh -c "${script.replace('$(', '\\$(')}" >/dev/null 2>&1 &'`,
    );
  }

  async function nodes(role: 'coordinator' | 'worker'): Promise<string[]> {
    const rows = await onServer<{ nodename: string; nodeport: number }>(
      service.databaseUrl,
      `select nodename, nodeport from pg_dist_node where noderole = 'primary' and (groupid = 0) = ${role === 'coordinator'} order by groupid`,
    );
    return rows.map(({ nodename, nodeport }) => {
      const url = new URL(service.databaseUrl);
      [url.hostname, url.port] = [nodename, String(nodeport)];
      return url.href;
    });
  }

  async function expectNothingLost(): Promise<void> {
    expect([...traffic.answers.keys()].filter((answer) => !['200', '201', 'no answer', '503 unavailable'].includes(answer))).toEqual([]);
    expect(await traffic.stored()).toEqual(traffic.acknowledged);
    expect(traffic.acknowledged.size).toBe(REQUESTS);
    console.info(JSON.stringify(Object.fromEntries(traffic.answers)));
  }

  test.each(['worker', 'coordinator'] as const)('a %s is killed', async (role) => {
    const recorded = traffic.run();
    await traffic.reaches(0.3);
    await kill((await nodes(role))[0]!);
    await recorded;
    await expectNothingLost();
    expect(traffic.answers.get('503 unavailable')).toBeGreaterThan(0);
  });

  (process.env.CITUS_SPARE ? test : test.skip)('a worker is added and gets its share of the shards', async () => {
    const [host, port] = process.env.CITUS_SPARE!.split(':') as [string, string];
    const spare = new URL(service.databaseUrl);
    const database = decodeURIComponent(spare.pathname.slice(1));
    [spare.hostname, spare.port, spare.pathname] = [host, port, '/postgres'];
    const spareServer = spare.href;
    // Citus believes that a cloned database still belongs to the cluster of its template.
    const databases = [database, database.replace(/_[0-9a-f]+$/, '')];
    for (const name of databases) await onServer(spareServer, createDatabaseStatement(name));
    spare.pathname = `/${database}`;
    await onServer(spare.href, 'create extension citus');
    const recorded = traffic.run();
    await traffic.reaches(0.2);
    await onServer(service.databaseUrl, `select citus_add_node('${host}', ${port})`);
    await onServer(service.databaseUrl, 'select citus_rebalance_start()');
    const state = async () =>
      (await onServer<{ state: string }>(service.databaseUrl, 'select state from citus_rebalance_status()'))[0]?.state;
    await until('the shards have moved', async () => (await state()) === 'finished');
    await recorded;
    await expectNothingLost();
    expect([...traffic.answers.keys()].sort()).toEqual(['201']);
    const shardsThere = `select count(*)::int as shards from citus_shards where nodename = '${host}' and nodeport = ${port}`;
    const [{ shards }] = (await onServer(service.databaseUrl, shardsThere)) as [{ shards: number }];
    expect(shards).toBeGreaterThan(0);
    for (const name of databases) await onServer(spareServer, `drop database "${name}" with (force)`);
  });
});
