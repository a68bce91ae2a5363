import { cloneDatabase, type ClonedDatabase } from '@fibre/testing';
import pg from 'pg';
import { everyStatement } from './every-statement.js';

/** What only a cluster can tell; the rules that need none are in statements.e2e-spec.ts. */
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

  test('the tables are distributed together, and the function with them', async () => {
    const { rows } = await client.query(
      `select table_name::text, citus_table_type, distribution_column, count(*) over (partition by colocation_id)::int as together
       from citus_tables order by 1`,
    );
    expect(rows).toEqual(
      ['event', 'namespace', 'timeline'].map((name) => ({
        ...{ table_name: name, citus_table_type: 'distributed', distribution_column: 'shard_key', together: 3 },
      })),
    );
    const functions = await client.query(
      'select distribution_argument_index from pg_dist_object where distribution_argument_index is not null',
    );
    expect(functions.rows).toEqual([{ distribution_argument_index: 0 }]);
  });

  test('every statement asks as many shards as it is meant to', async () => {
    const [{ shards }] = (
      await client.query<{ shards: number }>(`select count(*)::int as shards from citus_shards where table_name = 'event'::regclass`)
    ).rows as [{ shards: number }];
    for (const { name, statement, isOneShard } of everyStatement) {
      if (['appendEvent', 'tryCleanUpLock'].includes(name)) continue;
      const asked = await tasksOf(statement);
      expect([name, Math.max(...asked)]).toEqual([name, isOneShard ? 1 : shards]);
    }
  });

  async function tasksOf({ text, values }: { text: string; values: unknown[] }): Promise<number[]> {
    const { rows } = await client.query<{ 'QUERY PLAN': unknown }>(`explain (format json) ${text}`, values);
    return [...JSON.stringify(rows[0]!['QUERY PLAN']).matchAll(/"Task Count":(\d+)/g)].map(([, count]) => Number(count));
  }
});
