import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { type EmbeddedPostgres, startTemporaryPostgres } from '@fibre/embedded-postgres';
import { type ServiceProcess, startServiceProcess, startTestIssuer, TEST_AUDIENCE, type TestIssuer, until } from '@fibre/testing';
import pg from 'pg';
import { ALL_SCOPES, type Node, NODES } from './access-nodes.js';
import { IMPORT } from './imports.js';
import { sql } from './sql.js';

const ROWS = 60_000;

let issuer: TestIssuer;
let postgres: EmbeddedPostgres;
let service: ServiceProcess;
let authorization: string;

beforeAll(async () => {
  issuer = await startTestIssuer();
  postgres = await startTemporaryPostgres({ database: 'coverage' });
  authorization = `Bearer ${await issuer.token({ scope: ALL_SCOPES })}`;
  service = await start();
});
afterAll(async () => {
  await service.stop();
  await issuer.close();
  await postgres.stop();
});

const start = (): Promise<ServiceProcess> =>
  startServiceProcess('coverage-service', { DATABASE_URL: postgres.url, OAUTH_ISSUER: issuer.url, OAUTH_AUDIENCE: TEST_AUDIENCE });
/** What a relation has, as soon as the service can tell. */
async function count(relation_id: string): Promise<number> {
  let nodes: Node[] | undefined;
  await until('an answer', async () => {
    const response = await fetch(`${service.url}${NODES}?relation_id=${relation_id}&_page_size=2000`, { headers: { authorization } });
    nodes = response.ok ? ((await response.json()) as Node[]) : undefined;
    return response.ok;
  });
  return nodes!.length;
}
const FILE = `token,latitude,longitude,customer_reference\n${Array.from({ length: ROWS }, (_, n) => `planned,48.2,16.2,r${n}\n`).join('')}`;

/** Sends all of the file but its last byte, or all of it; the outcome is a status, or that there was no answer. */
function send(relation_id: string, wholly: boolean): Promise<number | 'no answer'> {
  return new Promise((resolve) => {
    const sending = request(`${service.url}${IMPORT}?relation_id=${relation_id}`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'text/csv', 'content-length': FILE.length },
    });
    sending.on('response', (response) => resolve(response.resume().statusCode!));
    sending.on('error', () => resolve('no answer'));
    sending.on('close', () => resolve('no answer'));
    sending.write(wholly ? FILE : FILE.slice(0, -1));
    if (wholly) sending.end();
  });
}

/** Until the rows are copied, or brought into place. */
const untilBusy = (statement: 'copy import_row' | 'with matched as'): Promise<unknown> =>
  until(statement, async () => {
    const [row] = await sql<{ count: number }>(
      postgres.url,
      `select count(*)::int as count from pg_stat_activity where pid <> pg_backend_pid() and query like $1 and (state = 'active' or $1 like '%copy%')`,
      [`%${statement}%`],
    );
    return row!.count > 0;
  });

const MOMENTS = [
  ['on the way', false, 'copy import_row'],
  ['coming into place', true, 'with matched as'],
] as const;

test.each(MOMENTS)('a service that is killed while rows are %s leaves nothing half done', async (_moment, wholly, statement) => {
  const relation_id = randomUUID();
  const outcome = send(relation_id, wholly);
  await untilBusy(statement);
  await service.kill();
  expect(await outcome).toBe('no answer');
  service = await start();
  await until('no transaction of the lost service', async () => {
    const [row] = await sql<{ count: number }>(
      postgres.url,
      `select count(*)::int as count from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null and query like '%import_row%'`,
    );
    return row!.count === 0;
  });
  expect(await count(relation_id)).toBe(0);
});

test.each(MOMENTS)('a database that is killed while rows are %s leaves nothing half done', async (_moment, wholly, statement) => {
  const relation_id = randomUUID();
  const outcome = send(relation_id, wholly);
  await untilBusy(statement);
  const [row] = await sql<{ pid: number }>(
    postgres.url,
    `select pid from pg_stat_activity where query like $1 and pid <> pg_backend_pid()`,
    [`%${statement}%`],
  );
  // The server takes the loss of one of its processes for damage: it ends all others and recovers from its log.
  const other = new pg.Client(postgres.url);
  other.on('error', () => undefined);
  await other.connect();
  const ended = new Promise((resolve) => other.once('end', resolve));
  process.kill(row!.pid, 'SIGKILL');
  await ended;
  if (wholly) expect(await outcome).toBe(503);
  expect(await count(relation_id)).toBe(0);
});
