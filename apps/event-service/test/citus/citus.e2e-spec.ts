import { randomUUID } from 'node:crypto';
import { withClient } from '@fibre/embedded-postgres';
import { migrateDatabase } from '@fibre/server';
import {
  cloneDatabase,
  type ClonedDatabase,
  createLocalDatabase,
  databaseUrl,
  dropDatabase,
  formCluster,
  startTestService,
  type TestService,
} from '@fibre/testing';
import pg from 'pg';
import { eventService } from '../../src/event-service.js';
import { EVENT_FUNCTIONS } from '../../src/event-functions/event-functions.sql.js';
import { activation, deactivation, newEntity, READ_WRITE, requestsOf, update } from '../events/events.js';
import { everyStatement, namespaceStatements } from './every-statement.js';

/** Tests that need a cluster; statements.e2e-spec.ts checks the other rules. */
const onCitus = process.env.CITUS_URL ? describe : describe.skip;

onCitus('on Citus', () => {
  let clone: ClonedDatabase;
  let client: pg.Client;

  beforeAll(async () => {
    clone = await cloneDatabase();
    client = new pg.Client(clone.url);
    await client.connect();
  });
  afterAll(async () => {
    await client.end();
    await clone.drop();
  });

  test('the tables and the functions are distributed together', async () => {
    const { rows } = await client.query(
      `select table_name::text, citus_table_type, distribution_column, count(*) over (partition by colocation_id)::int as together
       from citus_tables order by 1`,
    );
    expect(rows).toEqual(
      ['event', 'namespace', 'timeline'].map((name) => ({
        table_name: name,
        citus_table_type: 'distributed',
        distribution_column: 'shard_key',
        together: 3,
      })),
    );
    const functions = await client.query(
      'select distribution_argument_index from pg_dist_object where distribution_argument_index is not null',
    );
    expect(functions.rows).toEqual(EVENT_FUNCTIONS.map(() => ({ distribution_argument_index: 0 })));
  });

  test('every statement uses as many shards as it should', async () => {
    const [{ shards }] = (
      await client.query<{ shards: number }>(`select count(*)::int as shards from citus_shards where table_name = 'event'::regclass`)
    ).rows as [{ shards: number }];
    for (const { name, statement, isOneShard } of [...everyStatement, ...(await namespaceStatements(clone.url))]) {
      if (['appendEvent', 'appendNaming', 'appendRegistered', 'overwriteUserAttributes'].includes(name)) continue;
      const asked = await tasksOf(statement);
      // No shard has rows if filters exclude each other.
      const isEmpty = / and false\b/.test(statement.text);
      // A table on the coordinator has no shards.
      expect([name, Math.max(1, ...asked)]).toEqual([name, isOneShard || isEmpty ? 1 : shards]);
    }
  });

  test('a database with events can be distributed, and until it is, no service starts on it', async () => {
    const server = process.env.CITUS_URL!;
    const url = databaseUrl(server, `moved_${randomUUID()}`);
    const name = new URL(url).pathname.slice(1);
    const starts = () => startTestService(eventService, {}, { url, drop: () => Promise.resolve() });
    const requests = async (service: TestService) => requestsOf(await service.as(READ_WRITE));
    // As in docs/operations.md.
    const move = async () => {
      await withClient(url, (at) => at.query(`delete from migrations where name like 'Distribution-%'`));
      await migrateDatabase(eventService, url);
      for (const table of ['timeline', 'namespace'])
        await withClient(url, (at) => at.query(`select truncate_local_data_after_distributing_table('${table}')`));
    };
    const entities = Array.from({ length: 40 }, newEntity);
    const attributes = { sys_attributes: { article_codes: ['A'], option82: 'port', partner_reference: 'r' } };
    await createLocalDatabase(server, name);
    await migrateDatabase(eventService, url);

    const before = await starts();
    const { record, ids } = await requests(before);
    await record(...entities.flatMap((entity) => [activation(entity, 1), deactivation(entity, 2)]));
    const recorded = await ids();
    await before.close();
    await formCluster(server, name);

    await expect(starts()).rejects.toThrow('its tables are not distributed');
    await move();
    await move();
    const left = await withClient(url, (at) => at.query(`select pg_relation_size('event') + pg_relation_size('timeline') as bytes`));
    expect(left.rows).toEqual([{ bytes: '0' }]);

    const after = await starts();
    const moved = await requests(after);
    expect(await moved.ids()).toEqual(recorded);
    expect((await moved.put(deactivation(entities[0]!, 2))).status).toBe(200);
    expect((await moved.put(activation(entities[0]!, 3))).status).toBe(201);
    expect((await moved.put(update(entities[0]!, 5, attributes))).status).toBe(201);
    // This event is inserted into the middle of the current subscription, so the function must look at earlier events.
    expect((await moved.put(update(entities[0]!, 4, attributes))).status).toBe(201);
    await after.close();
    await dropDatabase(server, name);
  });

  async function tasksOf({ text, values }: { text: string; values: unknown[] }): Promise<number[]> {
    const { rows } = await client.query<{ 'QUERY PLAN': unknown }>(`explain (format json) ${text}`, values);
    return [...JSON.stringify(rows[0]!['QUERY PLAN']).matchAll(/"Task Count":(\d+)/g)].map(([, count]) => Number(count));
  }
});
