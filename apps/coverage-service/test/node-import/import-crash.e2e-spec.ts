import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EmbeddedPostgres, startTemporaryPostgres } from '@fibre/embedded-postgres';
import { type ServiceProcess, startServiceProcess, startTestIssuer, TEST_AUDIENCE, type TestIssuer, until } from '@fibre/testing';
import { volume } from '@fibre/testing/volume';
import { migrateDatabase } from '@fibre/server';
import pg from 'pg';
import { coverageService } from '../../src/coverage-service.js';
import { ALL_SCOPES, NODES } from '../access-nodes/access-nodes.js';
import { IMPORT } from './imports.js';
import { sql, untilBlocked } from '../database/sql.js';

const ROWS = volume(600, 6_000);

let issuer: TestIssuer;
let postgres: EmbeddedPostgres;
/** The tests that do not end it share it. */
let service: ServiceProcess;
let authorization: string;
let spool: string;
/** Holds the lock that an import waits for. */
let holder: pg.Client;

beforeAll(async () => {
  spool = await mkdtemp(join(tmpdir(), 'spool-'));
  issuer = await startTestIssuer();
  postgres = await startTemporaryPostgres({ database: 'coverage' });
  authorization = `Bearer ${await issuer.token({ scope: ALL_SCOPES })}`;
  await migrateDatabase(coverageService, postgres.url);
  await sql(postgres.url, STOP_IN_THE_MIDDLE);
  service = await start(IMPATIENT_SECONDS);
});
beforeEach(async () => {
  holder = new pg.Client(postgres.url);
  holder.on('error', () => undefined);
  await holder.connect();
  if (service.hasEnded) service = await start();
});
afterEach(() => holder.end());
afterAll(async () => {
  await service.kill();
  await issuer.close();
  await postgres.stop();
  await rm(spool, { recursive: true });
});

/** How long a stopping service waits for a file that does not arrive. */
const IMPATIENT_SECONDS = 2;
/** On a busy machine, an import takes seconds; a stopping service waits for it much longer than that. */
const start = (graceSeconds = 30): Promise<ServiceProcess> =>
  startServiceProcess('coverage-service', {
    DATABASE_URL: postgres.url,
    OAUTH_ISSUER: issuer.url,
    OAUTH_AUDIENCE: TEST_AUDIENCE,
    SPOOL_DIR: spool,
    SHUTDOWN_GRACE_SECONDS: String(graceSeconds),
  });

/** While a test holds the lock of a table, each import waits when it writes its middle row to that table. */
const STOP_IN_THE_MIDDLE = `
  create function wait_in_the_middle() returns trigger language plpgsql as $$ begin
    perform pg_advisory_xact_lock_shared(hashtext(tg_table_name));
    return new;
  end $$;
  create trigger middle before insert on access_node for each row when (new.customer_reference = 'r${ROWS / 2}') execute function wait_in_the_middle();
  create function add_trigger() returns event_trigger language plpgsql as $$ begin
    if exists (select from pg_event_trigger_ddl_commands() where object_identity = 'pg_temp.import_row') then
      create trigger middle before insert on pg_temp.import_row for each row when (new.customer_reference = 'r${ROWS / 2}')
        execute function wait_in_the_middle();
    end if;
  end $$;
  create event trigger middle on ddl_command_end when tag in ('CREATE TABLE') execute function add_trigger()`;

/** What each test begins with: the file does not name this node, and its import deletes such nodes. */
const BEFORE = { rows: 0, absent: 1 };
const AFTER = { rows: ROWS, absent: 0 };
async function newRelation(): Promise<string> {
  const relation_id = randomUUID();
  const node = { relation_id, token: 'planned', center: '48.2, 16.2', customer_reference: 'absent' };
  const headers = { authorization, 'content-type': 'application/json' };
  const { status } = await fetch(`${service.url}${NODES}`, { method: 'POST', headers, body: JSON.stringify(node) });
  expect(status).toBe(201);
  return relation_id;
}

async function count(relation_id: string): Promise<typeof BEFORE> {
  const [row] = await sql<typeof BEFORE>(
    postgres.url,
    `select count(*) filter (where customer_reference <> 'absent')::int as rows, count(*) filter (where customer_reference = 'absent')::int as absent
     from access_node where relation_id = $1`,
    [relation_id],
  );
  return row!;
}
const FILE = `token,latitude,longitude,customer_reference\n${Array.from({ length: ROWS }, (_, n) => `planned,48.2,16.2,r${n}\n`).join('')}`;

/** Sends all but the last byte of the file. */
function begin(relation_id: string) {
  let end!: () => void;
  const outcome = new Promise<number | 'no answer'>((resolve) => {
    const sending = request(`${service.url}${IMPORT}?relation_id=${relation_id}&absent=delete&max_deleted=1`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'text/csv', 'content-length': FILE.length },
    });
    sending.on('response', (response) => resolve(response.resume().statusCode!));
    sending.on('error', () => resolve('no answer'));
    sending.on('close', () => resolve('no answer'));
    sending.write(FILE.slice(0, -1));
    end = () => void (sending.writableEnded || sending.end(FILE.slice(-1)));
  });
  return { outcome, end };
}

/** Waits until most of the sent rows are in the spool. */
const untilSpooled = (): Promise<unknown> =>
  until('the spool', async () => {
    const metrics = await (await fetch(`${service.url}/metrics`)).text();
    return Number(/^limit_used\{limit="spool bytes"\} (\S+)$/m.exec(metrics)![1]) > FILE.length;
  });

/** Sends the rest and waits until the database is halfway through writing to this table. Ending `holder` lets the import continue. */
async function holdAt(table: string, sending: Import): Promise<void> {
  await holder.query('select pg_advisory_lock(hashtext($1))', [table]);
  sending.end();
  await untilBlocked(postgres.url, 1);
}

type Import = ReturnType<typeof begin>;
/** Statements of an import, and the tables that they write to. */
const IN_TRANSACTION = [
  ['copy import_row', 'import_row'],
  ['with paired as', 'access_node'],
] as const;
/** Moments of an import; each function waits for its moment, and resolves to a function that lets the import continue. */
const MOMENTS: [string, (sending: Import) => Promise<() => unknown>][] = [
  ['the file arrives', async (sending) => untilSpooled().then(() => sending.end)],
  ...IN_TRANSACTION.map(([statement, table]): (typeof MOMENTS)[number] => [
    `the database runs "${statement}"`,
    async (sending) => {
      await holdAt(table, sending);
      return () => holder.end();
    },
  ]),
];

/** With little volume, the last moment. */
const some = <T>(moments: readonly T[]): readonly T[] => volume(moments.slice(-1), moments);

test.each(some(IN_TRANSACTION))('a database killed while it runs "%s" leaves nothing half done', async (_statement, table) => {
  const relation_id = await newRelation();
  const sending = begin(relation_id);
  await holdAt(table, sending);
  const [row] = await sql<{ pid: number }>(postgres.url, `select pid from pg_stat_activity where wait_event_type = 'Lock'`);
  // If one of its processes is killed, the server terminates all the others and recovers from its log.
  const ended = new Promise((resolve) => holder.once('end', resolve));
  process.kill(row!.pid, 'SIGKILL');
  await ended;
  expect(await sending.outcome).toBe(503);
  await until('a response', async () => (await fetch(`${service.url}${NODES}?_page_size=1`, { headers: { authorization } })).ok);
  expect(await count(relation_id)).toEqual(BEFORE);
});

test('a stopping service gives up on a file that does not arrive within SHUTDOWN_GRACE_SECONDS', async () => {
  const relation_id = await newRelation();
  const sending = begin(relation_id);
  await untilSpooled();
  await service.stop();
  expect(await sending.outcome).toBe('no answer');
  expect(await readdir(spool)).toEqual([]);
  expect(await count(relation_id)).toEqual(BEFORE);
});

test.each(some(MOMENTS))('a service killed while %s leaves nothing half done and no file', async (_moment, reach) => {
  const relation_id = await newRelation();
  const sending = begin(relation_id);
  const goOn = await reach(sending);
  await service.kill();
  expect(await sending.outcome).toBe('no answer');
  expect(await readdir(spool)).toEqual([]);
  await goOn();
  await until('no transactions of the killed service', async () => {
    const [row] = await sql<{ count: number }>(
      postgres.url,
      `select count(*)::int as count from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null and query like '%import_row%'`,
    );
    return row!.count === 0;
  });
  expect(await count(relation_id)).toEqual(BEFORE);
});

test.each(some(MOMENTS))('a service stopped while %s finishes the import first', async (_moment, reach) => {
  const relation_id = await newRelation();
  const sending = begin(relation_id);
  const goOn = await reach(sending);
  const stopped = service.stop();
  await until('the shutdown', () => service.lines.some((line) => line.includes('shutting down')));
  await goOn();
  expect(await sending.outcome).toBe(200);
  await stopped;
  expect(await readdir(spool)).toEqual([]);
  expect(await count(relation_id)).toEqual(AFTER);
});
