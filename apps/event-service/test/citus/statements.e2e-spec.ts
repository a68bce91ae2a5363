import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { cloneDatabase, type ClonedDatabase } from '@fibre/testing';
import pg from 'pg';
import { type Catalog, judge, readCatalog } from './citus-rules.js';
import { everyStatement, namespaceStatements } from './every-statement.js';

/** These tests use the parse trees of plain PostgreSQL; citus.e2e-spec.ts uses a cluster. */
const withoutCitus = process.env.CITUS_URL ? describe.skip : describe;

const ID = '01920000-0000-7000-8000-000000000001';
const ONE_ENTITY = `e.shard_key = $1 and e.tenant = 'ano' and e.namespace_id = '${ID}' and e.entity_id = '${ID}'`;

withoutCitus('without Citus', () => {
  let clone: ClonedDatabase;
  let client: pg.Client;
  let catalog: Catalog;

  beforeAll(async () => {
    clone = await cloneDatabase();
    client = new pg.Client(clone.url);
    await client.connect();
    catalog = await readCatalog(client);
  });
  afterAll(async () => {
    await client.end();
    await clone.drop();
  });

  test('Citus would neither reject nor split any statement, and only those in FAN_OUTS use every shard', async () => {
    const judged = [];
    const ofNamespaces = await namespaceStatements(clone.url);
    // The statements that open, touch, retire and find a namespace, select and delete each kind of row in it, and finally delete the
    // namespace.
    expect(ofNamespaces).toHaveLength(15);
    for (const { name, statement, isOneShard } of [...everyStatement, ...ofNamespaces])
      judged.push({ name, isOneShard, found: await judge(client, catalog, statement) });
    // These calls stay on the coordinator, which has the table of ISPs.
    expect(judged.filter(({ found }) => found.faults.length > 0).map(({ name, found }) => [name, ...found.faults])).toEqual([
      ['appendNaming', 'calls a distributed function with more than plain parameters'],
      ['appendRegistered', 'calls a distributed function with more than plain parameters'],
    ]);
    const usesEveryShard = judged.filter(({ found }) => !found.isOneShard).map(({ name }) => name);
    expect(usesEveryShard).toEqual(judged.filter(({ isOneShard }) => !isOneShard).map(({ name }) => name));
  });

  test('only these files contain statements', () => {
    const files = readdirSync(join(import.meta.dirname, '../../src'), { recursive: true, encoding: 'utf8' }).filter((file) =>
      file.endsWith('.sql.ts'),
    );
    expect(files.sort()).toEqual([
      'entities/entity-list.sql.ts',
      'entities/entity-state.sql.ts',
      'entities/entity.sql.ts',
      'event-changes/event-changes.sql.ts',
      'event-functions/append-event.sql.ts',
      'event-functions/erase-entity.sql.ts',
      'event-functions/event-functions.sql.ts',
      'event-functions/line-rows.sql.ts',
      'event-functions/note-line-change.sql.ts',
      'event-functions/overwrite-event.sql.ts',
      'event-lists/event-filters.sql.ts',
      'event-lists/event-lists.sql.ts',
      'events/event-json.sql.ts',
      'events/event.sql.ts',
      'find/find.sql.ts',
      'isps/isp.sql.ts',
      'lines/line-changes.sql.ts',
      'lines/lines.sql.ts',
      'overview/overview.sql.ts',
      'periods/period-steps.sql.ts',
      'periods/periods.sql.ts',
      'periods/totals.sql.ts',
      'refused-events/refused-events.sql.ts',
      // Of the restore drill, which is not for Citus.
      'samples.sql.ts',
      'timeline/steps.sql.ts',
      'timeline/subscription.sql.ts',
      'timeline/timeline.sql.ts',
    ]);
  });

  test.each([
    ['select 1 as n where exists (select from event e where e.shard_key = $1)', ['selects no column']],
    [`update event e set modified_at = e.modified_at + interval '1 day' where ${ONE_ENTITY}`, ['sets a column to the result of +']],
    [`update event e set modified_at = now() where ${ONE_ENTITY}`, ['sets a column to the result of now']],
    [`update event e set comment = 'a' where ${ONE_ENTITY} returning to_char(e.event_at, 'YYYY')`, ['returns the result of to_char']],
    [
      `with gone as (delete from event e where ${ONE_ENTITY} returning e.shard_key, e.entity_id)
       delete from timeline t using gone g where t.shard_key = $1 and t.entity_id = g.entity_id`,
      ['changes rows in one part and uses event and timeline'],
    ],
    [
      `insert into namespace (namespace_id, shard_key, tenant, created_at, last_used_at)
       values ('${ID}', $1, (select coalesce(min(t.tenant), 'a') from timeline t where t.shard_key = $1), '2026-01-01', '2026-01-01')
       on conflict do nothing`,
      ['inserts the result of a subquery as a value'],
    ],
    [
      `insert into namespace as n (namespace_id, shard_key, tenant, name, created_at, last_used_at)
       values ('${ID}', $1, 'ano', 'a', '2026-01-01', '2026-01-01')
       on conflict (tenant, name, shard_key) do update set last_used_at = clock_timestamp()`,
      ['sets a column to the result of clock_timestamp'],
    ],
    [
      `with recursive r as (select 1 as n union all select e.sequence from r join event e on e.shard_key = $1 and e.sequence = r.n + 1) select n from r`,
      ['is recursive'],
    ],
  ])('the rules find the fault in %s', async (text, faults) => {
    expect(await judge(client, catalog, { text, values: [1] })).toEqual({ faults, isOneShard: true });
  });

  test.each([
    'select e.event_id from event e where e.entity_id = $1::uuid',
    'select t.version from timeline t join event e using (tenant, namespace_id, entity_id) where t.shard_key = 1 and e.entity_id = $1::uuid',
    'select e.event_id from event e where (e.shard_key = 1 or e.event_id = $1)',
    'delete from event e where e.event_id = $1 and e.shard_key > 3',
  ])('the rules notice that this uses every shard: %s', async (text) => {
    expect(await judge(client, catalog, { text, values: [ID] })).toEqual({ faults: [], isOneShard: false });
  });

  test('the rules find a subquery that Citus does not send to all shards', async () => {
    const text = 'select d.n from event e cross join lateral (select extract(epoch from e.event_at) as n) d where e.event_id = $1';
    const { faults } = await judge(client, catalog, { text, values: [ID] });
    expect(faults).toEqual(['uses the result of extract in a subquery without a table']);
  });

  test('the rules find a call that would stay on the coordinator', async () => {
    const call = everyStatement.find(({ name }) => name === 'appendEvent')!.statement;
    const { faults } = await judge(client, catalog, { ...call, text: call.text.replace('$2::text', 'upper($2::text)') });
    expect(faults).toEqual(['calls a distributed function with more than plain parameters']);
  });
});
