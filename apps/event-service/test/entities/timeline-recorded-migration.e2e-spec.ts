import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createDataSource } from '@fibre/database';
import { migrateDatabase } from '@fibre/server';
import { cloneDatabase, type ClonedDatabase, until } from '@fibre/testing';
import pg from 'pg';
import { eventService } from '../../src/event-service.js';
import { hashSysAttributes } from '../../src/event-attributes/sys-attributes.js';
import { EventIds, shardKeyOf } from '../../src/timeline/event-id.js';
import { newEntity, PARTNER, sql, wrongHeads, wrongRecords, wrongStates } from '../events/events.js';

/** Skipped on Citus: this test can only observe the locks of one server. */
const onOneServer = process.env.CITUS_URL ? describe.skip : describe;

const COLUMNS = 'TimelineRecorded1764633600000';
const BACKFILL = 'TimelineRecordedBackfill9999999999999';
/** A shard with more than one batch would need millions of rows; batches in many shards test the same thing. */
const ENTITIES = 300;
const ids = new EventIds();

onOneServer('a database from the previous release', () => {
  let clone: ClonedDatabase;
  let client: pg.Client;
  let others: pg.Client[];

  beforeAll(async () => {
    clone = await cloneDatabase();
    const database = await createDataSource({ url: clone.url, poolSize: 1, applicationName: 'spec', ...eventService.schema }).initialize();
    while ((await database.query<unknown[]>(`select 1 from migrations where name = $1`, [COLUMNS])).length > 0)
      await database.undoLastMigration();
    await database.query(readFileSync(join(import.meta.dirname, 'release-before.sql'), 'utf8'));
    // These migrations only build indexes, which would wait for the transactions that the backfill should wait for.
    const indexes = [
      'EventSubscription1764720000000',
      'EventChanges1764806400000',
      'TimelineOption821765065600000',
      'EventStepBack1765152000000',
    ];
    for (const name of indexes) await database.query(`insert into migrations (timestamp, name) values ($1, $2)`, [name.slice(-13), name]);
    await database.destroy();
    [client, ...others] = Array.from({ length: 3 }, () => new pg.Client(clone.url)) as [pg.Client, ...pg.Client[]];
    for (const each of [client, ...others]) await each.connect();
  });
  afterAll(async () => {
    for (const each of [client, ...others]) await each.end();
    await clone.drop();
  });

  /** Adds an event the way the previous release did. */
  async function append(entity: string, version: number, type: string, day: number, isLast: boolean, sys?: object): Promise<string> {
    const [shardKey, at] = [shardKeyOf(entity), `2026-01-${String(day).padStart(2, '0')}T12:00:00.000001Z`];
    const text = sys === undefined ? null : JSON.stringify(sys);
    const values = [
      ...[shardKey, 'ano', '00000000-0000-0000-0000-000000000000', entity, version, isLast],
      ...[
        ids.next(shardKey, new Date()),
        type,
        at,
        'UTC',
        at.slice(0, 10),
        text,
        hashSysAttributes(text),
        'r',
        '{"n":1e300}',
        'c',
        new Date(),
      ],
    ];
    const types = 'smallint text uuid uuid integer boolean uuid text timestamptz text date json uuid text json text timestamptz';
    const parameters = types.split(' ').map((each, index) => `$${index + 1}::${each}`);
    const { rows } = await client.query<Record<string, string | null>>(
      `select e.event_id, e.usr_attributes::text as usr, e.comment, e.event_at::text as at, e.sys_attributes::text as sys
       from append_event(${parameters.join()}) e`,
      values,
    );
    const stored = { usr: '{"n":1e300}', comment: 'c', at: at.replace('T', ' ').replace('Z', '+00'), sys: text };
    expect([type, day, rows]).toEqual([type, day, [{ event_id: values[6], ...stored }]]);
    return values[6] as string;
  }

  const active = { partner_id: PARTNER, article_codes: ['A'], option82: 'port' };
  const changed = { article_codes: ['B', 'C'], partner_reference: 'r' };

  /** Records one of five kinds of timeline; with `isOverwritten`, the user attributes of the first event have been overwritten. */
  async function live(entity: string, kind: number, isOverwritten = false): Promise<void> {
    if (kind % 5 === 4) return void (await append(entity, 0, 'notification', 9, false));
    const first = await append(entity, 0, 'activation', 1, true, active);
    if (kind % 5 === 0) return;
    await append(entity, 1, 'update', 9, true, changed);
    await append(entity, 2, 'update', 5, false, { article_codes: ['X'], option82: 'port 5', partner_reference: 'r5' });
    await append(entity, 3, 'notification', 3, false, { option82: 'n' });
    if (kind % 5 >= 2) await append(entity, 4, 'deactivation', 10, true);
    if (kind % 5 === 3) await append(entity, 5, 'activation', 11, true, active);
    if (isOverwritten)
      await client.query(
        `update event set comment = 'o', overwritten = true, modified_at = now() + interval '1 hour' where event_id = $1`,
        [first],
      );
  }

  test('is filled in while the previous release writes, and after an attempt that was killed', async () => {
    const entities = Array.from({ length: ENTITIES }, newEntity);
    for (const [kind, entity] of entities.entries()) await live(entity, kind, kind % 3 === 0);
    const inOrder = [...entities].sort((a, b) => shardKeyOf(a) - shardKeyOf(b));
    const left = async (): Promise<number> =>
      (await sql<{ left: number }>(clone.url, `select count(*) filter (where created_at is null)::int as left from timeline`))[0]!.left;

    // The backfill waits for older transactions, and later for a locked row in the middle.
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
    const isHeldUp = `from pg_stat_activity where query like 'select t.tenant%for update' and wait_event_type = 'Lock'`;
    await until('the wait for the row', () => isThere(`select 1 ${isHeldUp}`));
    // The previous release adds timelines, and events on both sides of the locked row.
    const more = Array.from({ length: 10 }, newEntity);
    for (const [kind, entity] of more.entries()) await live(entity, kind);
    const notified = [1, 2, ENTITIES - 2, ENTITIES - 3].map((index) => inOrder[index]!);
    const versionOf = async (entity: string): Promise<number> =>
      (await sql<{ version: number }>(clone.url, 'select version from timeline where entity_id = $1', [entity]))[0]!.version;
    for (const entity of notified) await append(entity, await versionOf(entity), 'notification', 20, false);
    const between = await left();
    expect([between > 0, between < ENTITIES - 2]).toEqual([true, true]);
    await sql(clone.url, `select pg_terminate_backend(pid) ${isHeldUp}`);
    expect(await killed).toBe('killed');
    await holder.query('rollback');
    expect(await left()).toBe(between);

    expect(await migrateDatabase(eventService, clone.url)).toEqual([BACKFILL]);
    expect([await left(), await wrongRecords(clone.url), await wrongStates(clone.url)]).toEqual([0, [], []]);
    expect(await isThere(`select 1 from pg_class where relname in ('timeline_without_recorded_idx', 'event_overwritten_idx')`)).toBe(false);
  });

  test('is kept correct by the function that the previous release calls', async () => {
    for (const kind of [1, 2, 3, 4]) {
      await live(newEntity(), kind);
      expect([kind, await wrongStates(clone.url), await wrongHeads(clone.url)]).toEqual([kind, [], []]);
    }
  });

  test('is checked by queries that find every kind of error', async () => {
    for (const [change, wrong] of [
      [`state = 'announced'`, wrongStates],
      [`state_since = state_since + interval '1 microsecond'`, wrongStates],
      [`partner_id = null`, wrongStates],
      [`article_codes = array_append(article_codes, 'Z')`, wrongStates],
      [`option82 = 'other'`, wrongStates],
      [`partner_reference = 'other'`, wrongStates],
      [`created_at = created_at - interval '1 millisecond'`, wrongRecords],
      [`modified_at = modified_at + interval '1 millisecond'`, wrongRecords],
      [`last_event_id = entity_id`, wrongRecords],
    ] as const) {
      await client.query('begin');
      const { rows } = await client.query<{ entity_id: string }>(
        `update timeline set ${change} where entity_id = (select entity_id from timeline where state = 'active' order by entity_id limit 1) returning entity_id`,
      );
      const found = await wrong(clone.url, client);
      await client.query('rollback');
      expect([change, found]).toEqual([change, rows]);
    }
  });
});
