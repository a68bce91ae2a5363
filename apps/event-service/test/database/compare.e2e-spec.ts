import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { withClient } from '@fibre/embedded-postgres';
import { outcomeOf, ReplicatedPostgres, startCommand, startTestService, type TestService, until } from '@fibre/testing';
import { eventService } from '../../src/event-service.js';
import { billingOf, SETTLED_SOON } from '../billing/periods.js';
import { activation, newEntity, update } from '../events/events.js';

const JANUARY = { from: '2026-01-01', to: '2026-02-01' };
const CLOSED = 12;

let servers: ReplicatedPostgres;
let service: TestService;

const beforeCitus = process.env.CITUS_URL ? describe.skip : describe;

/** Compares the primary with its standby, which has stopped to follow it and so is a copy of an earlier state. */
const compare = (url = servers.primaryUrl) =>
  outcomeOf(startCommand('event-service', 'src/compare.ts', url, ['--port', `${servers.standby.port}`]));

const lineOf = (said: string, table: string): string | undefined => said.split('\n').find((line) => line.includes(` ${table}: `));

/** Changes one row of the copy, and puts it back. */
async function planted(change: string, undo: string): Promise<{ code: number | null; said: string }> {
  await servers.standby.query('events', change);
  try {
    return await compare();
  } finally {
    await servers.standby.query('events', undo);
  }
}

const standbyIs = (what: string, condition: string): Promise<unknown> =>
  until(`the copy to be ${what}`, async () => {
    const [row] = await servers.standby.query<{ is: boolean }>('events', `select ${condition} as "is"`);
    return row!.is;
  });

beforeCitus('a restored copy is compared with the live database', () => {
  const [kept, changed, erased] = [newEntity(), newEntity(), newEntity()];

  beforeAll(async () => {
    servers = await ReplicatedPostgres.start('events');
    service = await startTestService(eventService, SETTLED_SOON, { url: servers.primaryUrl, drop: () => servers.close() });
    const billing = await billingOf(service, 'ano.copied');
    await billing.record(activation(kept, 1), activation(changed, 2), update(changed, 3));
    // In no closing, so that its deletion changes none.
    await billing.record(activation(erased, 1, { event_at: '2026-02-01T12:00:00+01:00' }));
    await billing.settle();
    for (let n = 0; n < CLOSED; n++) await billing.closed({ ...JANUARY, reference: `INV-${n}` });

    await servers.primary.query('events', 'create table late (id int primary key)');
    // A transaction that is open when the copy ends, and is then committed: the copy lacks it although its id is an early one.
    await withClient(servers.primaryUrl, async (client) => {
      await client.query('begin');
      await client.query('insert into late values (1)');
      await billing.record(activation(newEntity(), 4));
      const [{ lsn }] = (await servers.primary.query<{ lsn: string }>('events', 'select pg_current_wal_lsn()::text as lsn')) as [
        { lsn: string },
      ];
      await standbyIs('up to date', `pg_last_wal_replay_lsn() >= '${lsn}'::pg_lsn`);
      await servers.standby.query('events', 'select pg_promote()');
      await standbyIs('on its own', 'not pg_is_in_recovery()');
      await client.query('commit');
    });
    // What happens since then is no difference.
    await billing.record(update(changed, 5), activation(newEntity(), 6));
    await billing.closed({ ...JANUARY, reference: 'later' });
    await servers.primary.query(
      'events',
      `delete from event e where e.event_id in (select f.event_id from event f where f.entity_id = '${erased}')`,
    );
  });
  afterAll(() => service?.close());

  test('what has been written, changed and deleted since is no difference, and ten closings are the same byte for byte', async () => {
    const { code, said } = await compare();
    expect([code, code === 0 || said]).toEqual([0, true]);
    expect(lineOf(said, 'closing')).toBe(`event-service: closing: ${CLOSED} rows are the same; since then 1 new, 0 changed, 0 deleted`);
    expect(lineOf(said, 'event')).toBe('event-service: event: 4 rows are the same; since then 2 new, 0 changed, 1 deleted');
    expect(lineOf(said, 'timeline')).toBe('event-service: timeline: 3 rows are the same; since then 1 new, 1 changed, 0 deleted');
    expect(lineOf(said, 'late')).toBe('event-service: late: 0 rows are the same; since then 1 new, 0 changed, 0 deleted');
    expect(said).toContain('event-service: 30 answers compared byte for byte\n');
  });

  test.each([
    [
      'a changed row',
      `update event set usr_reference = 'planted' where entity_id = '${changed}' and sequence = 1`,
      /event \(ano\.copied,.*\) differs in the restored copy/,
    ],
    ['a missing row', `delete from closing where reference = 'INV-3'`, /closing \(ano\.copied,.*\) is missing in the restored copy/],
  ])('%s is named', async (_, change, named) => {
    const [table] = /event|closing/.exec(change)!;
    const { code, said } = await planted(
      `create table before as table ${table}; ${change}`,
      `truncate ${table}; insert into ${table} table before; drop table before`,
    );
    expect([code, said]).toEqual([1, expect.stringMatching(named)]);
  });

  test('a pooler is refused, because the service behind it would not be read-only', async () => {
    const { hostname, port } = new URL(servers.primaryUrl);
    // PgBouncer with `ignore_startup_parameters = options`: the server gets them as a setting that it does not know.
    const pooler = createServer((client) => {
      const server = connect(Number(port), hostname);
      client.once('data', (startup) => {
        server.write(Buffer.from(startup.toString('latin1').replace('\0options\0', '\0not.set\0'), 'latin1'));
        client.pipe(server);
      });
      server.pipe(client);
      for (const end of [client, server]) end.on('error', () => undefined);
    }).listen(0, hostname);
    await once(pooler, 'listening');
    try {
      const url = new URL(servers.primaryUrl);
      url.port = `${(pooler.address() as AddressInfo).port}`;
      const { code, said } = await compare(url.href);
      expect([code, said]).toEqual([
        1,
        expect.stringContaining('a pooler ignores that the connection is to be read-only: use the URL of the server'),
      ]);
    } finally {
      pooler.close();
    }
  });
});
