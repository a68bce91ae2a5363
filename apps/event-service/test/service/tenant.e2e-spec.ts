import { createHash } from 'node:crypto';
import { appendFile, cp, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withClient } from '@fibre/embedded-postgres';
import { migrateDatabase } from '@fibre/server';
import { createLeastPrivilegeDatabase, Follower, TenantCommand, until } from '@fibre/testing';
import { volume } from '@fibre/testing/volume';
import { eventService } from '../../src/event-service.js';
import { NIL } from 'uuid';
import { CLOSINGS, PERIODS, SETTLED_SOON } from '../billing/periods.js';
import {
  activation,
  deactivation,
  ENTITIES,
  EVENTS,
  type Events,
  newEntity,
  notification,
  READ_WRITE,
  startEvents,
  update,
} from '../events/events.js';
import { ISPS } from '../isps/isps.js';
import { activated, ispOf, LINES, linesOf, operatorOf } from '../lines/lines.js';

const [TENANT, STAYING, ISP] = ['ano.leaves', 'ano.stays', 'isp.blue'];
const WEBHOOKS = '/api/v2/sys/webhooks/';
const [CHANGES, LINE_CHANGES] = [`${EVENTS}changes/`, `${LINES}changes/`];
const JANUARY = { from: '2026-01-01', to: '2026-02-01' };
/** Entities of the tenant besides those that the API has recorded: more than one statement deletes. */
const MANY = volume(6_000, 12_000);
/** An erasure is killed at one point of so many. */
const ONE_IN = volume(4, 1);

let old: Events['service'];
let next: Events['service'];
let [there, here]: TenantCommand<ReturnType<typeof eventService.readEnv>>[] = [];
let folder: string;

const beforeCitus = process.env.CITUS_URL ? describe.skip : describe;

beforeAll(async () => {
  const environment = { ...SETTLED_SOON, NAMESPACES_ENABLED: 'true' };
  ({ service: old } = await startEvents(environment));
  ({ service: next } = await startEvents(environment));
  [there, here] = [new TenantCommand(eventService, old.databaseUrl), new TenantCommand(eventService, next.databaseUrl)];
  folder = await mkdtemp(join(tmpdir(), 'tenant-'));
});
afterAll(async () => {
  await old.close();
  await next.close();
  await rm(folder, { recursive: true });
});

const inFolder = (name: string): string => join(folder, name);

/** A tenant with rows in every table. */
async function fill(tenant: string) {
  const operator = await operatorOf(old, tenant);
  const { client, record } = operator;
  const partner = await operator.register(ISP);
  const [line, ended] = [newEntity(), newEntity()];
  await record(
    activated(line, partner, 2, { option82: 'port "1" \\ ö', partner_reference: 'B-1' }, { event_at: '2026-01-02T12:00:00.123456+01:00' }),
    notification(line, 3, {
      usr_attributes: { large: 1e300, text: 'a\nb\t"\\', list: [null, 0.1, { b: 1, a: 2 }] },
      comment: 'line\nbreak',
    }),
    update(line, 4, { usr_reference: 'reference', sys_attributes: { article_codes: ['B', 'A,"x"'], option82: 'port 2' } }),
    activated(ended, partner, 2),
    deactivation(ended, 20),
  );
  const [closing] = await Promise.all([
    until('a closing', async () => {
      const response = await client.post(CLOSINGS).send({ ...JANUARY, reference: 'INV-1' });
      return response.status === 201 && (response.body as Record<string, string>);
    }),
    client.put(EVENTS).send(deactivation(ended, 25)).expect(409),
    client.put(EVENTS).set('namespace', 'test').send(activation(line, 2)).expect(201),
    client.post(WEBHOOKS).send({ url: 'http://127.0.0.1:9/', feed: 'events', enabled: false }).expect(201),
  ]);
  await until('a refused event', async () => ((await client.get(`${EVENTS}refused/`)).body as unknown[]).length > 0);
  return { ...operator, partner, closing };
}

/** What the tenant reads. */
async function readAll(service: typeof old, closing: string): Promise<Record<string, unknown>> {
  const client = await service.as({ ...READ_WRITE, tenant: TENANT });
  const paths = [
    `${EVENTS}?_page_size=2000`,
    `${EVENTS}latest/?_page_size=2000`,
    `${EVENTS}refused/`,
    ENTITIES,
    `${ISPS}?_order=desc`,
    CLOSINGS,
    `${PERIODS}?closing=${closing}`,
    `${PERIODS}totals/?closing=${closing}`,
    `${PERIODS}corrections/?closing=${closing}`,
    `${CHANGES}?_page_size=2000`,
    WEBHOOKS,
  ];
  const found: Record<string, unknown> = {};
  for (const path of paths) {
    const { body } = await client.get(path).expect(200);
    found[path] = body;
  }
  found['namespace'] = (await client.get(EVENTS).set('namespace', 'test')).body;
  return found;
}

beforeCitus('a tenant of event-service', () => {
  let closing: string;
  let leaving: Awaited<ReturnType<typeof fill>>;

  test('is exported, and is the same in another installation', async () => {
    leaving = await fill(TENANT);
    closing = leaving.closing['closing_id']!;
    const staying = await fill(STAYING);
    // The one that leaves is also an ISP of the one that stays.
    await staying.register(TENANT);
    const followed = new Follower(await old.as({ ...READ_WRITE, tenant: TENANT }), CHANGES);
    await followed.catchUp();

    const { said, code } = await there!.runAsProcess('export', TENANT, inFolder('whole'));
    expect([code, said]).toEqual([0, expect.stringContaining('  closing: 1\n  isp: 1\n')]);
    expect((await stat(inFolder('whole/event.ndjson'))).mode & 0o777).toBe(0o600);
    const manifest = JSON.parse(await readFile(inFolder('whole/manifest.json'), 'utf8')) as { tables: { table: string; rows: number }[] };
    // Every table has rows, so that none is compared that is empty.
    expect(manifest.tables.filter(({ rows }) => rows === 0)).toEqual([]);
    expect(manifest.tables.map(({ table }) => table).sort()).toEqual(Object.keys(await there!.rowsOf(TENANT)).sort());

    const isp = await ispOf(next, ISP);
    const waiting = new Follower(isp, LINE_CHANGES);
    await waiting.catchUp();
    expect(waiting.seen).toEqual([]);

    expect(await here!.runAsProcess('import', inFolder('whole'))).toEqual({
      code: 0,
      said: expect.stringContaining(`imported ${TENANT}:`),
    });
    const [before, after] = [await there!.rowsOf(TENANT), await here!.rowsOf(TENANT)];
    const { isp_access: _before, ...same } = before;
    const { isp_access: _after, ...arrived } = after;
    expect(arrived).toEqual(same);
    expect(await readAll(next, closing)).toEqual(await readAll(old, closing));
    expect(await linesOf(isp, { at: '2026-01-10T00:00:00Z' })).toEqual(
      await linesOf(await ispOf(old, ISP), { at: '2026-01-10T00:00:00Z', tenant: TENANT }),
    );
    // An ISP that followed its feed before the tenant arrived gets its lines.
    await waiting.catchUp();
    expect([...waiting.copy.values()].map(({ entity_id }) => entity_id)).toEqual((await linesOf(isp)).map(({ entity_id }) => entity_id));
    expect(waiting.copy.size).toBe(1);
    // The tenant goes on with the link that it had.
    const moved = await next.as({ ...READ_WRITE, tenant: TENANT });
    const late = notification(newEntity(), 30);
    await moved.put(EVENTS).send(late).expect(201);
    await until('the new event', async () => (await followed.step(moved)).length > 0);
    expect(followed.seen.at(-1)!.event).toMatchObject({ entity_id: late['entity_id'] });
    // A repeat of an old event is recognised.
    expect((await moved.put(EVENTS).send(update(newEntity(), 4))).status).toBe(409);
    // Its refusal is recorded, after the answer.
    await until('the refused event', async () => ((await moved.get(`${EVENTS}refused/`)).body as unknown[]).length > 1);
  }, 120_000);

  test('that has rows is not imported, and every table is named', async () => {
    const { code, said } = await here!.run('import', inFolder('whole'));
    expect(code).toBe(1);
    for (const table of Object.keys(await here!.rowsOf(TENANT)))
      expect(said).toMatch(new RegExp(`${table}: this database has \\d+ rows of ${TENANT}`));
  });

  test('is not imported from files that are not as they were exported: each is named, and nothing is written', async () => {
    expect((await here!.run('erase', TENANT, '--confirm', TENANT, '--and-feeds')).code).toBe(0);
    expect(await here!.rowsOf(TENANT)).toEqual({});
    const broken = inFolder('broken');
    await cp(inFolder('whole'), broken, { recursive: true });
    await rm(join(broken, 'isp.ndjson'));
    await appendFile(join(broken, 'closing.ndjson'), '{}\n');
    await change(join(broken, 'event.ndjson'), (text) => text.replace('reference', 'Reference'));
    await change(join(broken, 'timeline.ndjson'), (text) => text.slice(0, -1));
    await change(join(broken, 'manifest.json'), (text) =>
      text.replace('WriteTime-', 'OtherTime-').replace('"table": "webhook"', '"table": "hook"'),
    );
    const { code, said } = await here!.run('import', broken);
    expect(code).toBe(1);
    for (const fault of [
      /isp\.ndjson: ENOENT/,
      /closing\.ndjson: 2 rows, but 1 in the manifest/,
      /event\.ndjson: its SHA-256 is \w{64}, but \w{64} in the manifest/,
      /timeline\.ndjson: \d rows, but \d in the manifest/,
      /schema: this database lacks OtherTime-/,
      /schema: the export lacks WriteTime-/,
      /hook\.ndjson: this database has no table/,
      /webhook\.ndjson: the manifest does not list it/,
    ])
      expect(said).toMatch(fault);
    // A file with rows of another tenant, and a manifest that agrees with it.
    const forged = inFolder('forged');
    await cp(inFolder('whole'), forged, { recursive: true });
    const text = (await readFile(join(forged, 'closing.ndjson'), 'utf8')).replace(TENANT, 'ano.other1');
    await writeFile(join(forged, 'closing.ndjson'), text);
    const sha256 = createHash('sha256').update(text).digest('hex');
    const was = createHash('sha256')
      .update(await readFile(inFolder('whole/closing.ndjson')))
      .digest('hex');
    await change(join(forged, 'manifest.json'), (manifest) => manifest.replace(was, sha256));
    expect(await here!.run('import', forged)).toEqual({
      code: 1,
      said: expect.stringContaining(`closing.ndjson: 1 rows are not of ${TENANT}`),
    });
    for (const [content, fault] of [
      ['{', 'not the manifest of an export'],
      ['{"service":"coverage-service","tenant":"a","schema":[],"tables":[]}', 'an export of coverage-service, not of event-service'],
    ] as const) {
      await writeFile(join(forged, 'manifest.json'), content);
      expect((await here!.run('import', forged)).said).toContain(fault);
    }
    expect(await here!.rowsOf(TENANT)).toEqual({});
    expect(await here!.rowsOf('nobody', true)).toEqual({});
  }, 60_000);

  test('is exported and imported as a whole or not at all, also if the command is killed', async () => {
    await there!.killAt('lock table webhook in access exclusive mode', 'export', TENANT, inFolder('killed'));
    expect(await stat(inFolder('killed')).catch(() => 'none')).toBe('none');
    for (const table of volume(['event'], ['closing', 'event', 'webhook'])) {
      await here!.killAt(`lock table ${table} in share mode`, 'import', inFolder('whole'));
      expect(await here!.rowsOf(TENANT)).toEqual({});
    }
    expect((await here!.run('import', inFolder('whole'))).code).toBe(0);
    expect((await there!.run('export', TENANT, inFolder('killed'))).code).toBe(0);
    for (const name of await readdir(inFolder('whole')))
      if (name !== 'manifest.json') expect(await readFile(inFolder(`killed/${name}`))).toEqual(await readFile(inFolder(`whole/${name}`)));
    expect(await there!.run('export', TENANT, inFolder('killed'))).toEqual({ code: 1, said: expect.stringContaining('killed exists') });
    expect((await there!.run('export', 'nobody', inFolder('nobody'))).said).toContain('nobody has no rows');
    expect(await here!.runAsProcess('move')).toEqual({ code: 1, said: expect.stringContaining('Usage:') });
    expect((await here!.run('export', TENANT, '--all')).said).toContain("Unknown option '--all'");
  }, 120_000);

  test('is erased during a backup without looking through the events that are gone for each of its entities', async () => {
    const addEntities = (tenant: string, count: number) =>
      there!.query(`
      with entity as (
        insert into timeline (tenant, namespace_id, entity_id, shard_key, version, state, state_since, created_at, modified_at, last_event_id)
        select '${tenant}', '${NIL}', gen_random_uuid(), n % 4096, 1, 'active', now(), now(), now(), gen_random_uuid()
        from generate_series(1, ${count}) n
        returning *
      )
      insert into event (event_id, shard_key, tenant, namespace_id, entity_id, sequence, event_type, event_at, event_timezone, event_date,
        sys_hash, created_at, modified_at)
      select e.last_event_id, e.shard_key, e.tenant, e.namespace_id, e.entity_id, 1, 'activation', now(), 'Etc/UTC', current_date,
        e.last_event_id, now(), now()
      from entity e`);
    await addEntities('ano.large', MANY);
    await addEntities('ano.other', 1_000);
    const pagesRead = async (): Promise<number> => {
      const [row] = await there!.query<{ pages: string }>(
        `select s.heap_blks_read + s.heap_blks_hit + s.idx_blks_read + s.idx_blks_hit as pages
         from pg_statio_user_tables s where s.relname = 'event'`,
      );
      return Number(row!.pages);
    };
    const before = await pagesRead();
    const { said } = await withClient(old.databaseUrl, async (client) => {
      // As a backup does, it sees the rows until it ends: no vacuum removes them.
      await client.query('begin isolation level repeatable read; select from event limit 1');
      await client.query('savepoint unlocked; lock table timeline in share mode');
      const erasure = there!.run('erase', 'ano.large', '--confirm', 'ano.large');
      const waits = `select 1 from pg_stat_activity a where a.application_name = 'event-service-tenant' and a.wait_event_type = 'Lock'`;
      await until('the events are gone', async () => (await there!.query(waits)).length > 0);
      // As autovacuum may at any moment.
      await there!.query('analyze event');
      await client.query('rollback to savepoint unlocked');
      return erasure;
    });
    expect(said).toContain(`timeline: ${MANY}`);
    expect((await pagesRead()) - before).toBeLessThan(10 * MANY);
    // Without other tenants, only a vacuum helps.
    const left = `select s.relname from pg_stat_user_tables s where s.relname in ('event', 'timeline') and s.vacuum_count = 0`;
    expect(await there!.query(left)).toEqual([]);
  }, 120_000);

  test('is erased in any number of attempts; its lines end in the feeds of ISPs, and nobody else notices', async () => {
    const others = await there!.rowsOf(TENANT, true);
    for (const args of [[], ['--confirm', 'other']])
      expect(await there!.run('erase', TENANT, ...args)).toEqual({ code: 1, said: expect.stringContaining(`--confirm ${TENANT}`) });
    await there!.query(`
      with copied as (
        insert into timeline
        select (json_populate_record(t, json_build_object('entity_id', gen_random_uuid(), 'shard_key', n % 4096))).*
        from timeline t cross join generate_series(1, ${MANY}) n
        where t.tenant = '${TENANT}' and t.state = 'active' and t.namespace_id = '${NIL}'
        returning entity_id, shard_key
      )
      insert into event
      select (json_populate_record(e, json_build_object('event_id', gen_random_uuid(), 'entity_id', c.entity_id, 'shard_key', c.shard_key))).*
      from copied c cross join event e where e.event_id = (select o.event_id from event o where o.tenant = '${TENANT}' and o.event_type = 'update')`);
    // As autovacuum does, and the command's import. Without statistics, each deletion of a timeline reads all the tenant's deleted events.
    await there!.query('analyze event, timeline');
    const follower = new Follower(await ispOf(old, ISP), LINE_CHANGES);
    await follower.catchUp();
    const lines = [...follower.copy.values()];
    expect(lines.map(({ tenant }) => tenant).sort()).toEqual([TENANT, STAYING]);

    const rowOf = (table: string, offset = 0): string =>
      `select 1 from ${table} t where t.tenant = '${TENANT}' order by t.ctid offset ${offset} limit 1 for update`;
    const erase = ['erase', TENANT, '--confirm', TENANT];
    const points = [
      rowOf('webhook'), // before anything has ended
      rowOf('isp_access'),
      rowOf('isp'),
      rowOf('event', 10),
      rowOf('event', MANY / 2),
      rowOf('timeline', 10),
      rowOf('timeline', MANY / 2),
      rowOf('refused_event'),
      rowOf('namespace'),
      rowOf('closing'),
    ];
    for (const point of points.filter((_, index) => index % ONE_IN === 0)) await there!.killAt(point, ...erase);

    const { code, said } = await there!.runAsProcess(...erase);
    expect([code, said]).toEqual([0, expect.stringMatching(/These rows stay.*\n {2}line_change: 2\n {2}isp_access: 1\n/)]);
    expect(Object.keys(await there!.rowsOf(TENANT))).toEqual(['isp_access', 'line_change']);
    expect(await there!.rowsOf(TENANT, true)).toEqual(others);
    const isp = await ispOf(old, ISP);
    expect((await linesOf(isp)).map(({ tenant }) => tenant)).toEqual([STAYING]);
    const heard = (await follower.catchUp()).map(({ change, line }) => [change, line!['tenant']]);
    expect(heard.length).toBeGreaterThan(0);
    expect(new Set(heard.map(String))).toEqual(new Set([`ended,${TENANT}`]));
    expect([...follower.copy.values()].map(({ tenant }) => tenant)).toEqual([STAYING]);

    // After 30 days, the same command deletes the rest.
    expect((await there!.run(...erase)).said).toContain('it had no rows');
    await there!.query(`update isp_access set ends_at = now() - interval '31 days' where tenant = '${TENANT}'`);
    expect((await there!.run(...erase)).said).toContain('No rows are left.');
    expect(await there!.rowsOf(TENANT)).toEqual({});
    expect(await there!.rowsOf(TENANT, true)).toEqual(others);
  }, 240_000);

  test('is imported by the role that migrates; the one that serves is refused', async () => {
    const database = await createLeastPrivilegeDatabase();
    try {
      await migrateDatabase(eventService, database.migrateUrl);
      const serving = new TenantCommand(eventService, database.serveUrl);
      expect(await serving.run('import', inFolder('whole'))).toEqual({
        code: 1,
        said: expect.stringContaining('use the role that migrates'),
      });
      const migrating = new TenantCommand(eventService, database.migrateUrl);
      expect((await migrating.run('import', inFolder('whole'))).code).toBe(0);
      expect((await migrating.run('erase', TENANT, '--confirm', TENANT, '--and-feeds')).said).toContain('No rows are left.');
    } finally {
      await database.close();
    }
  }, 120_000);
});

const change = async (path: string, edit: (text: string) => string): Promise<void> => writeFile(path, edit(await readFile(path, 'utf8')));

(process.env.CITUS_URL ? test : test.skip)('on Citus, the command says that it cannot work', async () => {
  for (const args of [
    ['export', TENANT, inFolder('citus')],
    ['erase', TENANT, '--confirm', TENANT],
  ])
    expect(await there!.run(...args)).toEqual({ code: 1, said: expect.stringContaining('Citus') });
});
