import { createDataSource } from '@fibre/database';
import { cloneDatabase, type ClonedDatabase, otherCollations } from '@fibre/testing';
import type { DataSource } from 'typeorm';
import { NIL } from 'uuid';
import { schema } from '../../src/schema.js';

let clone: ClonedDatabase;
let database: DataSource;

beforeAll(async () => {
  clone = await cloneDatabase();
  database = await createDataSource({ url: clone.url, poolSize: 1, applicationName: 'spec', ...schema }).initialize();
});
afterAll(async () => {
  await database.destroy();
  await clone.drop();
});

const column = async (text: string): Promise<unknown[]> => (await database.query<{ value: unknown }[]>(text)).map(({ value }) => value);

/** Skipped on Citus, where the tables are already distributed and Citus adds its own objects. */
const beforeCitus = process.env.CITUS_URL ? test.skip : test;

beforeCitus('every key contains the shard key, so that the tables can be distributed', async () => {
  const keys = await column(`
    select format('%s: %s', i.indexrelid::regclass, string_agg(a.attname, ', ')) as value
    from pg_index i join pg_class c on c.oid = i.indrelid join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any(i.indkey)
    where i.indisunique and c.relname in ('event', 'timeline', 'namespace', 'line_change')
    group by i.indexrelid`);
  expect(keys).toHaveLength(8);
  for (const key of keys) expect(key).toContain('shard_key');
  const foreign = await column(`select pg_get_constraintdef(oid) as value from pg_constraint where contype = 'f'`);
  for (const key of foreign) expect(key).toMatch(/\(.*shard_key.*\).*\(.*shard_key.*\)/);
});

beforeCitus('no table uses a feature that distributed tables lack', async () => {
  const tables = `('event'::regclass, 'timeline'::regclass, 'namespace'::regclass, 'line_change'::regclass)`;
  expect(await column(`select tgname as value from pg_trigger where tgrelid in ${tables} and not tgisinternal`)).toEqual([]);
  expect(
    await column(`select attname as value from pg_attribute where attrelid in ${tables} and (attidentity <> '' or attgenerated <> '')`),
  ).toEqual([]);
  expect(await column(`select relname as value from pg_class where relkind = 'S'`)).toEqual(['migrations_id_seq']);
});

beforeCitus('an entity is not looked for among all of its tenant before the table has statistics', async () => {
  // As the foreign key of events looks for it; PUT has the same conditions.
  const plan = await database.query<{ 'QUERY PLAN': string }[]>(
    `explain select 1 from only timeline x
     where tenant = 'ano' and namespace_id = '${NIL}' and entity_id = '${NIL}' and shard_key = 1::smallint for key share of x`,
  );
  expect(plan.map((line) => line['QUERY PLAN']).join('\n')).toMatch(/ using timeline_pkey /);
});

test('no library of the server decides how texts are compared', async () => {
  expect(await otherCollations(clone.url)).toEqual([]);
});

test('the entities match the migrated tables', async () => {
  for (const { tableName, columns } of database.entityMetadatas) {
    const made = await column(
      `select attname || case when attnotnull then '' else ' null' end as value from pg_attribute where attrelid = '${tableName}'::regclass and attnum > 0 and not attisdropped`,
    );
    expect([tableName, columns.map((said) => `${said.databaseName}${said.isNullable ? ' null' : ''}`).sort()]).toEqual([
      tableName,
      made.sort(),
    ]);
  }
});
