import { setTimeout as sleep } from 'node:timers/promises';
import { createDataSource, Database } from '@fibre/database';
import { type EmbeddedPostgres, startTemporaryPostgres } from '@fibre/embedded-postgres';
import pg from 'pg';
import type { DataSource } from 'typeorm';
import { SettledTime } from '../src/settled-time.js';
import { ANNOUNCE, UnsettledSince } from '../src/unsettled-since.sql.js';

const SETTLE_SECONDS = 15;
/** The longest transaction of a request. */
const LONGEST_SECONDS = 60;

let server: EmbeddedPostgres;
let dataSource: DataSource;
let settled: SettledTime;
const clients: pg.Client[] = [];

beforeAll(async () => {
  server = await startTemporaryPostgres({
    database: 'fibre',
    settings: { fsync: false, max_prepared_transactions: 2, wal_level: 'replica' },
  });
  dataSource = createDataSource({ url: server.url, poolSize: 2, applicationName: 'spec', entities: [], migrations: [UnsettledSince] });
  await dataSource.initialize();
  await dataSource.runMigrations();
  settled = new SettledTime(new Database(dataSource), { settleSeconds: SETTLE_SECONDS, longestRequestSeconds: LONGEST_SECONDS });
  await query('create table record (id int primary key, value int)');
  await query('insert into record values (1, 0)');
});
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.end()));
});
afterAll(async () => {
  await dataSource.destroy();
  await server.stop();
});

const query = async <Row extends pg.QueryResultRow>(text: string): Promise<Row[]> => (await (await session()).query<Row>(text)).rows;

async function session(): Promise<pg.Client> {
  const client = new pg.Client(server.url);
  client.on('error', () => undefined);
  clients.push(client);
  await client.connect();
  return client;
}

/** Seconds from the settled instant to now, by the database's clock. */
async function age(): Promise<number> {
  const at = await settled.now();
  const [row] = await query<{ ms: number }>('select extract(epoch from clock_timestamp())::float8 * 1000 as ms');
  return (row!.ms - at.getTime()) / 1_000;
}

/** Longer than the checks below take. */
const HELD_MS = 1_500;

/** Checks that the settled instant does not move while a transaction is open, and advances afterwards. */
async function expectHeld(end: () => Promise<unknown>): Promise<void> {
  const before = await settled.now();
  await sleep(HELD_MS);
  expect((await settled.now()).getTime()).toBe(before.getTime());
  await end();
  expect((await settled.now()).getTime()).toBeGreaterThanOrEqual(before.getTime() + HELD_MS);
}

test('the settled instant is SETTLE_SECONDS old, in whole milliseconds, whatever readers do', async () => {
  const reader = await session();
  await reader.query('begin isolation level repeatable read');
  await reader.query('select * from record');
  await sleep(HELD_MS);
  const seconds = await age();
  expect(seconds).toBeGreaterThanOrEqual(SETTLE_SECONDS);
  expect(seconds).toBeLessThan(SETTLE_SECONDS + HELD_MS / 1_000);
});

test('a transaction that has written holds back the settled instant until it ends, whether it is working or waiting', async () => {
  const writer = await session();
  await writer.query('begin');
  await writer.query('insert into record values (2, 0)');
  await expectHeld(() => writer.query('commit'));

  const busy = await session();
  await busy.query('begin');
  const [begun] = (await busy.query<{ at: Date }>('select now() as at')).rows;
  await busy.query('insert into record select n, 0 from generate_series(10, 20) n');
  const long = busy.query(`insert into record select n, length(pg_sleep(0.2)::text) from generate_series(21, 30) n`);
  expect((await settled.now()).getTime()).toBeLessThanOrEqual(begun!.at.getTime() - SETTLE_SECONDS * 1_000);
  await long;
  await expectHeld(() => busy.query('rollback'));
});

test('a transaction that has announced itself does not hold back the settled instant; the next one of its session does', async () => {
  const writer = await session();
  await writer.query('begin');
  await writer.query(`select ${ANNOUNCE}`);
  await writer.query('insert into record values (6, 0)');
  await sleep(HELD_MS);
  expect(await age()).toBeLessThan(SETTLE_SECONDS + HELD_MS / 1_000);
  await writer.query('commit');
  await writer.query('begin');
  await writer.query('insert into record values (7, 0)');
  await expectHeld(() => writer.query('commit'));
});

test('the settled instant can move back, but never was later than the latest one', async () => {
  const writer = await session();
  await writer.query('begin');
  await writer.query('select 1');
  await sleep(HELD_MS);
  const before = await settled.now();
  expect((await settled.latest()).getTime()).toBeGreaterThanOrEqual(before.getTime());
  await writer.query('insert into record values (5, 0)');
  expect((await settled.now()).getTime()).toBeLessThan(before.getTime());
  expect((await settled.latest()).getTime()).toBeGreaterThanOrEqual(before.getTime());
  await writer.query('rollback');
});

test('a prepared transaction holds back the settled instant, even without a session', async () => {
  const writer = await session();
  await writer.query('begin');
  await writer.query('insert into record values (3, 0)');
  await writer.query(`prepare transaction 'left'`);
  await writer.end();
  // It may have begun as long ago as a request may take.
  expect(await age()).toBeGreaterThanOrEqual(SETTLE_SECONDS + LONGEST_SECONDS);
  await expectHeld(() => query(`commit prepared 'left'`));
  expect(await age()).toBeLessThan(SETTLE_SECONDS + HELD_MS / 1_000);
});

test('if the database was down when the settled instant was first asked for, it is known once the database is back', async () => {
  const other = createDataSource({ url: server.url, poolSize: 1, applicationName: 'spec', entities: [], migrations: [] });
  const times = new SettledTime(new Database(other), { settleSeconds: SETTLE_SECONDS, longestRequestSeconds: LONGEST_SECONDS });
  await expect(times.now()).rejects.toThrow('Driver not Connected');
  await other.initialize();
  try {
    expect(await times.now()).toBeInstanceOf(Date);
  } finally {
    await other.destroy();
  }
});

test('a commit that waits for a synchronous standby holds back the settled instant', async () => {
  // There is no standby with this name, so the commit waits until the setting is removed.
  await query(`alter system set synchronous_standby_names = 'nobody'`);
  await query('select pg_reload_conf()');
  await sleep(200);
  const writer = await session();
  const committing = writer.query('insert into record values (4, 0)');
  await sleep(200);
  expect(await query('select id from record where id = 4')).toEqual([]);
  await expectHeld(async () => {
    await query('alter system reset synchronous_standby_names').catch(() => undefined);
    await query('select pg_reload_conf()');
    await committing;
  });
  expect(await query('select id from record where id = 4')).toEqual([{ id: 4 }]);
});
