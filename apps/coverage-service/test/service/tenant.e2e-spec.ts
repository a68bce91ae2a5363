import { randomUUID } from 'node:crypto';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Follower, startTestService, TenantCommand, type TestService } from '@fibre/testing';
import { volume } from '@fibre/testing/volume';
import { coverageService } from '../../src/coverage-service.js';
import { ALL_SCOPES, create, NODES, operator, SEARCH } from '../access-nodes/access-nodes.js';
import { importFile } from '../node-import/imports.js';

const [TENANT, STAYING] = ['ano.leaves', 'ano.stays'];
const [CHANGES, SEARCH_CHANGES, RELATIONS, WEBHOOKS] = [`${NODES}changes/`, `${SEARCH}changes/`, '/v2/cov/relations/', '/v2/cov/webhooks/'];
/** The tables before the nodes at which an erasure is killed, and how often it is killed while it deletes nodes, 5,000 each time. */
const [TABLES, KILLS] = volume([['publication'], 1], [['webhook', 'relation', 'publication', 'finished_import'], 6]);
/** Nodes of the tenant besides those that the API has created. */
const MANY = 5_000 * KILLS;

let old: TestService;
let next: TestService;
let [there, here]: TenantCommand<ReturnType<typeof coverageService.readEnv>>[] = [];
let folder: string;

beforeAll(async () => {
  old = await startTestService(coverageService);
  next = await startTestService(coverageService);
  [there, here] = [new TenantCommand(coverageService, old.databaseUrl), new TenantCommand(coverageService, next.databaseUrl)];
  folder = await mkdtemp(join(tmpdir(), 'tenant-'));
});
afterAll(async () => {
  await old.close();
  await next.close();
  await rm(folder, { recursive: true });
});

/** A tenant with rows in every table. */
async function fill(tenant: string): Promise<void> {
  const client = await operator(old, tenant);
  const relation = await client
    .post(RELATIONS)
    .send({ name: `Relation of ${tenant}`, pip: 'pip' })
    .expect(201);
  const { relation_id } = relation.body as { relation_id: string };
  const address = { address_id: 'U-1', address: 'Straße "1" \\ ö', technology: 'ftth' };
  await create(client, { relation_id, customer_reference: 'one', center: '48.20855500, 16.3729660001', download_mbps: 0.1, ...address });
  await create(client, { relation_id }, 'prenodes');
  await client.put(NODES).query({ relation_id }).expect(200);
  await create(client, { relation_id, customer_reference: 'draft' }, 'prenodes');
  const gone = await create(client, { relation_id });
  await client.delete(`${NODES}${gone.node_id}/`).expect(204);
  // Bulk work, whose deletions have their time from its publication.
  const other = await create(client);
  await client.delete(NODES).query({ relation_id: other.relation_id }).expect(204);
  const file = `relation_id,token,latitude,longitude,customer_reference\n${relation_id},planned,48,16,two\n${relation_id},planned,48,16,three`;
  await importFile(client, file, { key: randomUUID() });
  // One that is enabled changes by itself.
  await client
    .post(WEBHOOKS)
    .send({ url: 'http://127.0.0.1:9/', feed: 'nodes', enabled: tenant === TENANT })
    .expect(201);
}

/** What the tenant reads, and what others find of it. */
async function readAll(service: TestService): Promise<Record<string, unknown>> {
  const client = await operator(service, TENANT);
  const found: Record<string, unknown> = {};
  for (const path of [
    `${NODES}?_page_size=2000`,
    `${NODES}?target=prenodes`,
    `${NODES}?modified_since=2026-01-01T00:00:00Z&_page_size=2000`,
    RELATIONS,
    `${SEARCH}?center=48.2085,16.373&search_radius=10`,
    `${SEARCH}addresses/U-1/`,
    `${SEARCH}addresses/?q=strasse 1`,
  ]) {
    const { status, body } = await client.get(path);
    found[path] = [status, (body as { tenant?: string }[]).filter(({ tenant }) => tenant === TENANT || tenant === undefined)];
  }
  return found;
}

const copyOf = async (follower: Follower): Promise<Record<string, unknown>> => {
  await follower.catchUp();
  return Object.fromEntries([...follower.copy].sort());
};

test('a tenant is exported, and is the same in another installation, whose followers get all of its nodes', async () => {
  await fill(TENANT);
  await fill(STAYING);
  const mine = new Follower(await operator(old, TENANT), CHANGES);
  await mine.catchUp();
  expect((await there!.runAsProcess('export', TENANT, join(folder, 'whole'))).code).toBe(0);
  const exported = await there!.rowsOf(TENANT);
  expect(Object.keys(exported)).toEqual(Object.keys(await there!.rowsOf(STAYING)));
  expect(Object.keys(exported).length).toBeGreaterThan(5);

  // The new installation has publications with the same ids.
  const resident = await operator(next, 'ano.resident');
  const { relation_id } = await create(resident, {}, 'prenodes');
  await resident.put(NODES).query({ relation_id }).expect(200);
  const isp = await next.as({ tenant: 'isp.blue', scope: 'coverage:search' });
  const waiting = new Follower(isp, SEARCH_CHANGES);
  await waiting.catchUp();
  const residents = await here!.rowsOf(TENANT, true);

  expect(await here!.runAsProcess('import', join(folder, 'whole'))).toEqual({
    code: 0,
    said: expect.stringContaining(`imported ${TENANT}:`),
  });
  expect(await readAll(next)).toEqual(await readAll(old));
  expect(await here!.rowsOf(TENANT, true)).toEqual(residents);
  const arrived = await here!.rowsOf(TENANT);
  for (const table of ['finished_import', 'relation']) expect(arrived[table]).toEqual(exported[table]);
  const values = `select to_jsonb(t) - 'publication' as row from access_node t where t.tenant = '${TENANT}' order by t.node_id`;
  expect(await here!.query(values)).toEqual(await there!.query(values));
  expect(await here!.query('select enabled from webhook')).toEqual([{ enabled: false }]);
  // Those who have followed a feed there, from then on, and the tenant with the link that it had.
  await waiting.catchUp();
  const ofTenant = waiting.seen.filter(({ node, change }) => change === 'upserted' && node!['tenant'] === TENANT);
  expect(ofTenant).toHaveLength(4);
  const moved = await operator(next, TENANT);
  expect(await copyOf(new Follower(moved, CHANGES))).toEqual(await copyOf(new Follower(await operator(old, TENANT), CHANGES)));
  const late = await create(moved);
  while ((await mine.step(moved)).length > 0 || !mine.copy.has(late.node_id));
  expect([...mine.copy.keys()].sort()).toEqual(Object.keys(await copyOf(new Follower(moved, CHANGES))));
}, 120_000);

test('a tenant that has rows is not imported, every table is named, and nor is an id that another tenant has', async () => {
  const { code, said } = await here!.runAsProcess('import', join(folder, 'whole'));
  expect(code).toBe(1);
  for (const table of Object.keys(await here!.rowsOf(TENANT))) expect(said).toContain(`${table}: this database has`);
  await here!.run('erase', TENANT, '--confirm', TENANT, '--and-feeds');
  const [{ node_id }] = (await there!.query<{ node_id: string }>(`select node_id from access_node where tenant = '${TENANT}' limit 1`)) as [
    { node_id: string },
  ];
  await here!.query(`update access_node set node_id = '${node_id}'`);
  await cp(join(folder, 'whole'), join(folder, 'again'), { recursive: true });
  expect(await here!.run('import', join(folder, 'again'))).toEqual({ code: 1, said: expect.stringContaining('access_node_pkey') });
  expect(await here!.rowsOf(TENANT)).toEqual({});
}, 60_000);

test('a tenant is erased in any number of attempts; its nodes end in the feeds, and nobody else notices', async () => {
  const others = await there!.rowsOf(TENANT, true);
  await there!.query(`
    insert into access_node (node_id, tenant, relation_id, collection, token, latitude, longitude, status)
    select gen_random_uuid(), tenant, relation_id, 'nodes', token, latitude, longitude, status
    from (select * from access_node where tenant = '${TENANT}' limit 1) t, generate_series(1, ${MANY})`);
  const isp = await old.as({ tenant: 'isp.blue', scope: ALL_SCOPES });
  const follower = new Follower(isp, `${SEARCH_CHANGES}?_page_size=2000`);
  await follower.catchUp();
  expect([...follower.copy.values()].filter(({ tenant }) => tenant === TENANT)).toHaveLength(MANY + 4);

  const rowOf = (table: string, offset = 0): string =>
    `select 1 from ${table} t where t.tenant = '${TENANT}' order by t.ctid offset ${offset} limit 1 for update`;
  const erase = ['erase', TENANT, '--confirm', TENANT];
  for (const point of [
    ...TABLES.map((table) => rowOf(table)),
    // Once the lock is gone, the server finishes the statement that was waiting: each time, 5,000 nodes fewer are left.
    ...Array.from({ length: KILLS }, () => rowOf('access_node')),
  ])
    await there!.killAt(point, ...erase);
  expect(await there!.run(...erase)).toEqual({ code: 0, said: expect.stringMatching(/These rows stay.*(\n {2}\w+: \d+){2}\n/) });
  expect(Object.keys(await there!.rowsOf(TENANT))).toEqual(['node_deletion', 'publication']);
  expect(await there!.rowsOf(TENANT, true)).toEqual(others);
  expect(await readAll(old)).toMatchObject({ [RELATIONS]: [200, []] });
  await follower.catchUp();
  expect([...follower.copy.values()].filter(({ tenant }) => tenant === TENANT)).toEqual([]);
  expect(follower.copy.size).toBeGreaterThan(0);

  expect((await there!.runAsProcess(...erase, '--and-feeds')).said).toContain('No rows are left.');
  expect(await there!.rowsOf(TENANT)).toEqual({});
  expect(await there!.rowsOf(TENANT, true)).toEqual(others);
}, 240_000);

test('every table belongs to tenants, and the only column that counts for itself is in a table that no import writes', async () => {
  const tables = await there!.query<{ name: string }>(
    `select c.relname as name from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
       and not exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'tenant')`,
  );
  expect(tables).toEqual([{ name: 'migrations' }]);
  const counting = await there!.query<{ name: string }>(
    `select a.attrelid::regclass::text as name from pg_attribute a where a.attidentity <> '' and a.attrelid::regclass::text <> 'migrations'`,
  );
  expect(counting.map(({ name }) => name)).toEqual(coverageService.tenants.leftBehind);
});
