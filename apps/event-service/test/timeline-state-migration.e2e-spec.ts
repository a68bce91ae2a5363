import { createDataSource } from '@fibre/database';
import { migrateDatabase } from '@fibre/server';
import { cloneDatabase, type ClonedDatabase, until } from '@fibre/testing';
import pg from 'pg';
import { eventService } from '../src/event-service.js';
import { hashSysAttributes } from '../src/event-attributes/sys-attributes.js';
import { EventIds } from '../src/timeline/event-id.js';
import { shardKeyOf } from '../src/timeline/shard-key.js';
import { newEntity, PARTNER, sql, wrongHeads, wrongStates } from './events.js';

/** Locks of one server alone can be watched. */
const onOneServer = process.env.CITUS_URL ? describe.skip : describe;

const [STATE, BACKFILL] = ['TimelineState1764291600000', 'TimelineStateBackfill1764291600001'];
/** More than one batch in some shard would take millions; batches of many shards do as well. */
const ENTITIES = 300;
const ids = new EventIds();

onOneServer('a database of the release before', () => {
  let clone: ClonedDatabase;
  let client: pg.Client;
  let others: pg.Client[];

  beforeAll(async () => {
    clone = await cloneDatabase();
    const database = await createDataSource({ url: clone.url, poolSize: 1, applicationName: 'spec', ...eventService.schema }).initialize();
    while ((await database.query<unknown[]>(`select 1 from migrations where name = $1`, [STATE])).length > 0)
      await database.undoLastMigration();
    await database.destroy();
    [client, ...others] = Array.from({ length: 3 }, () => new pg.Client(clone.url)) as [pg.Client, ...pg.Client[]];
    for (const each of [client, ...others]) await each.connect();
  });
  afterAll(async () => {
    for (const each of [client, ...others]) await each.end();
    await clone.drop();
  });

  /** Adds an event as one of the releases does: the older says nothing of `isLast`. */
  async function append(
    entity: string,
    version: number,
    type: string,
    day: number,
    isLast: boolean | undefined,
    sys?: object,
  ): Promise<void> {
    const [shardKey, at] = [shardKeyOf(entity), `2026-01-${String(day).padStart(2, '0')}T12:00:00Z`];
    const text = sys === undefined ? null : JSON.stringify(sys);
    const values = [
      ...[shardKey, 'ano', '00000000-0000-0000-0000-000000000000', entity, version],
      ...(isLast === undefined ? [] : [isLast]),
      ...[ids.next(shardKey, new Date()), type, at, 'UTC', at.slice(0, 10), text, hashSysAttributes(text), null, null, null, new Date()],
    ];
    const types = `smallint text uuid uuid integer ${isLast === undefined ? '' : 'boolean '}uuid text timestamptz text date json uuid text json text timestamptz`;
    const parameters = types.split(' ').map((each, index) => `$${index + 1}::${each}`);
    const { rows } = await client.query<{ event_id: string | null }>(`select e.event_id from append_event(${parameters.join()}) e`, values);
    expect([type, day, rows[0]!.event_id]).toEqual([type, day, expect.any(String)]);
  }

  const active = { partner_id: PARTNER, article_codes: ['A'], option82: 'port' };
  const changed = { article_codes: ['B', 'C'], partner_reference: 'r' };

  /** Lives of five kinds, by both releases. */
  async function live(entity: string, kind: number): Promise<void> {
    const knows = kind % 2 === 0;
    const last = knows ? true : undefined;
    if (kind % 5 === 4) return append(entity, 0, 'notification', 9, knows ? false : undefined);
    await append(entity, 0, 'activation', 1, last, active);
    if (kind % 5 === 0) return;
    await append(entity, 1, 'update', 9, last, changed);
    await append(entity, 2, 'update', 5, knows ? false : undefined, { article_codes: ['X'], option82: 'port 5', partner_reference: 'r5' });
    await append(entity, 3, 'notification', 3, knows ? false : undefined, { option82: 'n' });
    if (kind % 5 >= 2) await append(entity, 4, 'deactivation', 10, last);
    if (kind % 5 === 3) await append(entity, 5, 'activation', 11, last, active);
  }

  test('is filled in while its code writes, and after an attempt that was killed', async () => {
    const entities = Array.from({ length: ENTITIES }, newEntity);
    for (const [kind, entity] of entities.entries()) await live(entity, kind);
    const inOrder = [...entities].sort((a, b) => shardKeyOf(a) - shardKeyOf(b));
    const left = async (): Promise<number> =>
      (await sql<{ left: number }>(clone.url, `select count(*) filter (where state is null)::int as left from timeline`))[0]!.left;

    // The backfill waits for whoever began before it, and is held up later at a row in the middle.
    const [reader, holder] = others as [pg.Client, pg.Client];
    await reader.query('begin isolation level repeatable read');
    await reader.query('select count(*) from event');
    const killed = migrateDatabase(eventService, clone.url).then(
      () => 'done',
      () => 'killed',
    );
    const isThere = async (text: string) => (await sql(clone.url, text)).length > 0;
    await until('the wait for the reader', () =>
      isThere(`select 1 from pg_stat_activity where query like 'create index concurrently%' and wait_event_type = 'Lock'`),
    );
    expect(await left()).toBe(ENTITIES);
    await holder.query('begin');
    await holder.query('select 1 from timeline where entity_id = $1 for update', [inOrder[ENTITIES / 2]]);
    await reader.query('commit');
    const isHeldUp = `from pg_stat_activity where query like 'select fill_timeline_states%' and wait_event_type = 'Lock'`;
    await until('the wait for the row', () => isThere(`select 1 ${isHeldUp}`));
    // Before the row that is held and after it, by either release.
    const more = Array.from({ length: 10 }, newEntity);
    for (const [kind, entity] of more.entries()) await live(entity, kind);
    const told = [1, 2, ENTITIES - 2, ENTITIES - 3].map((index) => inOrder[index]!);
    const versionOf = async (entity: string): Promise<number> =>
      (await sql<{ version: number }>(clone.url, 'select version from timeline where entity_id = $1', [entity]))[0]!.version;
    for (const [index, entity] of told.entries())
      await append(entity, await versionOf(entity), 'notification', 20, index % 2 === 0 ? false : undefined);
    const between = await left();
    expect([between > 0, between < ENTITIES - 2]).toEqual([true, true]);
    await sql(clone.url, `select pg_terminate_backend(pid) ${isHeldUp}`);
    expect(await killed).toBe('killed');
    await holder.query('rollback');
    expect(await left()).toBe(between);

    expect((await migrateDatabase(eventService, clone.url))[0]).toBe(BACKFILL);
    expect([await left(), await wrongStates(clone.url)]).toEqual([0, []]);
    expect(await isThere(`select 1 from pg_proc where proname = 'fill_timeline_states'`)).toBe(false);
    expect(await isThere(`select 1 from pg_class where relname = 'timeline_without_state_idx'`)).toBe(false);
  });

  test('is kept right by the functions that its code calls', async () => {
    const [known, unknown] = [newEntity(), newEntity()];
    for (const [entity, kind] of [
      [known, 2],
      [unknown, 3],
    ] as const) {
      await live(entity, kind);
      expect(await wrongStates(clone.url)).toEqual([]);
    }
    // The head too, which the older release had left behind.
    expect((await wrongHeads(clone.url)).filter(({ entity_id }) => [known, unknown].includes(entity_id))).toEqual([]);
  });

  test('would be found wrong', async () => {
    let days = 0;
    for (const change of [
      `state = 'announced'`,
      `state_since = state_since + interval '1 microsecond'`,
      `partner_id = null`,
      `article_codes = array_append(article_codes, 'Z')`,
      `option82 = 'other'`,
      `partner_reference = 'other'`,
    ]) {
      const { rows } = await client.query<{ entity_id: string; version: number }>(
        `update timeline set ${change} where entity_id = (select entity_id from timeline where state = 'active' order by entity_id limit 1)
         returning entity_id, version`,
      );
      const { entity_id, version } = rows[0]!;
      expect([change, await wrongStates(clone.url)]).toEqual([change, [{ entity_id }]]);
      // A row that says nothing is made right by the next event.
      await client.query('update timeline set state = null where entity_id = $1', [entity_id]);
      await append(entity_id, version, 'notification', 21 + days++, false);
      expect([change, await wrongStates(clone.url)]).toEqual([change, []]);
    }
  });
});
