import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EmbeddedPostgres, startTemporaryPostgres } from '@fibre/embedded-postgres';
import { type ServiceProcess, startServiceProcess, startTestIssuer, TEST_AUDIENCE, type TestIssuer, until } from '@fibre/testing';
import pg from 'pg';
import { ALL_SCOPES, NODES } from './access-nodes.js';
import { IMPORT } from './imports.js';
import { sql } from './sql.js';

const ROWS = 60_000;

let issuer: TestIssuer;
let postgres: EmbeddedPostgres;
let service: ServiceProcess;
let authorization: string;
let spool: string;

beforeAll(async () => {
  spool = await mkdtemp(join(tmpdir(), 'spool-'));
  issuer = await startTestIssuer();
  postgres = await startTemporaryPostgres({ database: 'coverage' });
  authorization = `Bearer ${await issuer.token({ scope: ALL_SCOPES })}`;
  service = await start();
});
afterAll(async () => {
  await service.stop();
  await issuer.close();
  await postgres.stop();
  await rm(spool, { recursive: true });
});

const start = (): Promise<ServiceProcess> =>
  startServiceProcess('coverage-service', {
    DATABASE_URL: postgres.url,
    OAUTH_ISSUER: issuer.url,
    OAUTH_AUDIENCE: TEST_AUDIENCE,
    SPOOL_DIR: spool,
  });
/** The nodes of a relation, as soon as the service can list them. */
async function count(relation_id: string): Promise<number> {
  await until('an answer', async () => (await fetch(`${service.url}${NODES}?_page_size=1`, { headers: { authorization } })).ok);
  const [row] = await sql<{ count: number }>(postgres.url, `select count(*)::int as count from access_node where relation_id = $1`, [
    relation_id,
  ]);
  return row!.count;
}
const FILE = `token,latitude,longitude,customer_reference\n${Array.from({ length: ROWS }, (_, n) => `planned,48.2,16.2,r${n}\n`).join('')}`;

/** Starts sending the file, without its last byte. */
function begin(relation_id: string) {
  let end!: () => void;
  const outcome = new Promise<number | 'no answer'>((resolve) => {
    const sending = request(`${service.url}${IMPORT}?relation_id=${relation_id}`, {
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

/** Waits until all sent rows are in the spool. */
const untilSpooled = (): Promise<unknown> =>
  until('the spool', async () => {
    const metrics = await (await fetch(`${service.url}/metrics`)).text();
    return Number(/^import_spool_bytes (\S+)$/m.exec(metrics)![1]) > 1_000_000;
  });

/** Waits until the rows are being copied or stored. */
const untilBusy = (statement: string): Promise<unknown> =>
  until(statement, async () => {
    const [row] = await sql<{ count: number }>(
      postgres.url,
      `select count(*)::int as count from pg_stat_activity where pid <> pg_backend_pid() and query like $1 and state = 'active'`,
      [`%${statement}%`],
    );
    return row!.count > 0;
  });

type Import = ReturnType<typeof begin>;
const IN_TRANSACTION = ['copy import_row', 'with matched as'];
const MOMENTS: [string, (sending: Import) => Promise<unknown>][] = [
  ['the file arrives', untilSpooled],
  ...IN_TRANSACTION.map((statement): [string, (sending: Import) => Promise<unknown>] => [
    `the database runs "${statement}"`,
    ({ end }) => {
      end();
      return untilBusy(statement);
    },
  ]),
];

test.each(MOMENTS)('a service killed while %s leaves nothing half done and no file', async (_moment, untilThen) => {
  const relation_id = randomUUID();
  const sending = begin(relation_id);
  await untilThen(sending);
  await service.kill();
  expect(await sending.outcome).toBe('no answer');
  expect(await readdir(spool)).toEqual([]);
  service = await start();
  await until('no transaction of the killed service', async () => {
    const [row] = await sql<{ count: number }>(
      postgres.url,
      `select count(*)::int as count from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null and query like '%import_row%'`,
    );
    return row!.count === 0;
  });
  expect(await count(relation_id)).toBe(0);
});

test.each(MOMENTS)('a service stopped while %s finishes the import first', async (_moment, untilThen) => {
  const relation_id = randomUUID();
  const sending = begin(relation_id);
  await untilThen(sending);
  const stopped = service.stop();
  sending.end();
  expect(await sending.outcome).toBe(200);
  await stopped;
  expect(await readdir(spool)).toEqual([]);
  service = await start();
  expect(await count(relation_id)).toBe(ROWS);
});

test('a stopping service does not wait for a file that does not arrive', async () => {
  const relation_id = randomUUID();
  const sending = begin(relation_id);
  await untilSpooled();
  await service.stop();
  expect(await sending.outcome).toBe('no answer');
  expect(await readdir(spool)).toEqual([]);
  service = await start();
  expect(await count(relation_id)).toBe(0);
});

test.each(IN_TRANSACTION)('a database killed while it runs "%s" leaves nothing half done', async (statement) => {
  const relation_id = randomUUID();
  const { outcome, end } = begin(relation_id);
  end();
  await untilBusy(statement);
  const [row] = await sql<{ pid: number }>(
    postgres.url,
    `select pid from pg_stat_activity where query like $1 and pid <> pg_backend_pid()`,
    [`%${statement}%`],
  );
  // The server treats the loss of a process as damage: it ends all others and recovers from its log.
  const other = new pg.Client(postgres.url);
  other.on('error', () => undefined);
  await other.connect();
  const ended = new Promise((resolve) => other.once('end', resolve));
  process.kill(row!.pid, 'SIGKILL');
  await ended;
  expect(await outcome).toBe(503);
  expect(await count(relation_id)).toBe(0);
});
