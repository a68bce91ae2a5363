import { startTestService, type TestService } from '@fibre/testing';
import { coverageService } from '../../src/coverage-service.js';
import { ImportsCleanUp } from '../../src/finished-imports/imports-clean-up.js';
import { create, operator, TIMESTAMP } from '../access-nodes/access-nodes.js';
import { sql } from '../database/sql.js';
import { importFile } from '../node-import/imports.js';
import { createRelation } from '../relations/relations.js';

const OVERVIEW = '/v2/cov/overview';
const ZERO = { count: 0 };
const NONE = { planned: ZERO, construction: ZERO, operation: ZERO };

let service: TestService;

beforeAll(async () => void (service = await startTestService(coverageService)));
afterAll(() => service.close());

test("counts a tenant's nodes by collection and stage, and lists its imports and the relations that are waiting for a merge", async () => {
  const ano = await operator(service);
  const empty = {
    nodes: NONE,
    prenodes: NONE,
    connected: ZERO,
    relations: ZERO,
    waiting_count: ZERO,
    waiting: [],
    imports_count: ZERO,
    imports: [],
  };
  expect((await ano.get(OVERVIEW).expect(200)).body).toEqual(empty);

  const [waiting, other] = [await createRelation(ano, { name: 'Waiting' }), await createRelation(ano, { name: 'Merged' })];
  const { relation_id } = waiting;
  for (let count = 0; count < 2; count++)
    await create(ano, { relation_id: other.relation_id, token: 'operation', units: 3, units_connected: 1 });
  await create(ano, { relation_id, token: 'planned', units: 3, units_connected: 1 }, 'prenodes');
  const file = 'center,token\n"48, 16",construction\n"48, 17",construction\n';
  await importFile(ano, file, { query: { target: 'prenodes', relation_id }, key: 'first' });
  await importFile(ano, file, { query: { target: 'prenodes', relation_id, dry_run: 'true' } });
  await importFile(ano, `${file}"48, 16",x\n`, { query: { target: 'prenodes', relation_id } });
  await importFile(ano, file, { query: { relation_id: other.relation_id, absent: 'delete', mode: 'lax' } });
  const reference = 'center,token,relation_id,customer_reference\n';
  await importFile(ano, `${reference}"48, 16",planned,${other.relation_id},\n"48, 16",x,,\n`, { query: { mode: 'lax' } });

  expect((await ano.get(`${OVERVIEW}/`).expect(200)).body).toEqual({
    nodes: { ...NONE, planned: { count: 1 }, operation: { count: 2 } },
    prenodes: { ...NONE, planned: { count: 1 }, construction: { count: 2 } },
    connected: { count: 2 },
    relations: { count: 2 },
    waiting_count: { count: 1 },
    waiting: [{ relation_id, name: 'Waiting', prenodes: { count: 3 } }],
    imports_count: { count: 2 },
    imports: [
      {
        created_at: expect.stringMatching(TIMESTAMP),
        created_by: 'client',
        rows: 2,
        created: 1,
        updated: 0,
        unchanged: 0,
        refused: 1,
        deleted: 0,
      },
      {
        created_at: expect.stringMatching(TIMESTAMP),
        created_by: 'client',
        relation_id,
        name: 'Waiting',
        rows: 2,
        created: 2,
        updated: 0,
        unchanged: 0,
        refused: 0,
        deleted: 0,
      },
    ],
  });
  expect((await (await operator(service, 'ano.other')).get(OVERVIEW)).body).toEqual(empty);
});

test('relations that the tenant has not created are waiting too, and are as old as their first node', async () => {
  const ano = await operator(service, 'ano.uncreated');
  const { relation_id } = await createRelation(ano, { name: 'Created' });
  const newest = await createRelation(ano, { name: 'Newest' });
  const [low, high, merged] = ['00000000-0000-4000-8000-000000000000', 'ffffffff-ffff-4fff-8fff-ffffffffffff', crypto.randomUUID()];
  for (const id of [high, relation_id, low, high]) await create(ano, { relation_id: id }, 'prenodes');
  await create(ano, { relation_id: merged }, 'nodes');
  await create(await operator(service, 'ano.other'), { relation_id: crypto.randomUUID() }, 'prenodes');
  const { body } = await ano.get(OVERVIEW).expect(200);
  expect(body).toMatchObject({
    waiting_count: { count: 3 },
    waiting: [
      { relation_id: low, prenodes: { count: 1 } },
      { relation_id: high, prenodes: { count: 2 } },
      { relation_id, name: 'Created', prenodes: { count: 1 } },
    ],
  });
  await create(ano, { relation_id: newest.relation_id }, 'prenodes');
  expect((await ano.get(OVERVIEW)).body.waiting[2]).toMatchObject({ name: 'Newest' });
});

test("another tenant's relation of the same id has no name here, and its nodes wait for its own merge", async () => {
  const [owner, stranger] = [await operator(service, 'ano.owner'), await operator(service, 'ano.stranger')];
  // An ISP sees the id of the relation, but not its name.
  const { relation_id } = await createRelation(owner, { name: 'Secret' });
  await create(owner, { relation_id }, 'prenodes');
  await create(stranger, { relation_id });
  expect((await stranger.get(OVERVIEW).expect(200)).body).toMatchObject({ waiting_count: ZERO, waiting: [] });
  await importFile(stranger, 'center,token\n"48, 16",planned\n', { query: { target: 'prenodes', relation_id } });
  const { waiting, imports } = (await stranger.get(OVERVIEW).expect(200)).body;
  expect(waiting).toEqual([{ relation_id, prenodes: { count: 1 } }]);
  expect(imports).toEqual([expect.objectContaining({ relation_id, created: 1 })]);
  expect(imports[0]).not.toHaveProperty('name');
  expect((await owner.get(OVERVIEW)).body).toMatchObject({ waiting: [{ name: 'Secret', prenodes: { count: 1 } }], imports: [] });
});

test('of many waiting relations, the newest ten are listed and all are counted', async () => {
  const ano = await operator(service, 'ano.waiting');
  const names = Array.from({ length: 12 }, (_, n) => `Relation ${n}`);
  for (const name of names) await create(ano, { relation_id: (await createRelation(ano, { name })).relation_id }, 'prenodes');
  const { body } = await ano.get(OVERVIEW).expect(200);
  expect(body.waiting_count).toEqual({ count: 12 });
  expect((body.waiting as { name: string }[]).map(({ name }) => name)).toEqual(names.toReversed().slice(0, 10));
});

test('of many imports, the newest 1,000 are listed and all are counted', async () => {
  const ano = await operator(service, 'ano.often');
  await sql(
    service.databaseUrl,
    `insert into finished_import (tenant, report, created_at)
     select 'ano.often', json_build_object('rows', n, 'created', n, 'updated', 0, 'unchanged', 0, 'refused', 0, 'deleted', 0),
       now() - n * interval '1 second'
     from generate_series(1, 1001) n`,
  );
  const { imports_count, imports } = (await ano.get(OVERVIEW).expect(200)).body;
  expect(imports_count).toEqual({ count: 1_001 });
  expect((imports as { rows: number }[]).map(({ rows }) => rows)).toEqual(Array.from({ length: 1_000 }, (_, index) => index + 1));
});

test('imports are forgotten after a day, with or without a key', async () => {
  const ano = await operator(service, 'ano.imports');
  const file = `center,token,relation_id\n"48, 16",planned,${crypto.randomUUID()}\n`;
  for (const key of ['one', undefined, 'two', undefined]) expect((await importFile(ano, file, { key })).status).toBe(200);
  expect((await ano.get(OVERVIEW)).body.imports).toHaveLength(4);
  const age = (hours: number, where: string) =>
    sql(
      service.databaseUrl,
      `update finished_import set created_at = now() - $1 * interval '1 hour' where tenant = 'ano.imports' and ${where}`,
      [hours],
    );
  await age(26, `idempotency_key is distinct from 'two'`);
  expect((await ano.get(OVERVIEW)).body).toMatchObject({ imports_count: { count: 1 }, imports: [{ created: 1 }] });
  await service.app.get(ImportsCleanUp).run();
  const left = await sql(
    service.databaseUrl,
    `select idempotency_key, report ->> 'created' as created from finished_import where tenant = 'ano.imports'`,
  );
  expect(left).toEqual([{ idempotency_key: 'two', created: '1' }]);
});

/** Adds nodes of a relation in pre-production, or relations. */
const insertMany = (tenant: string, count: number, kind: 'nodes' | 'relations'): Promise<unknown> =>
  sql(
    service.databaseUrl,
    kind === 'nodes'
      ? `insert into access_node (node_id, tenant, relation_id, collection, token, latitude, longitude, status)
         select gen_random_uuid(), $1, $2, 'prenodes', 'planned', 48 + n * 1e-6, 16, 'active' from generate_series(1, $3::int) n`
      : `insert into relation (tenant, relation_id, name, pip) select $1, gen_random_uuid(), $2 || n, 'PIP' from generate_series(1, $3::int) n`,
    [tenant, '11111111-1111-4111-8111-111111111111', count],
  );

test('a number is never that of a limit: it is exact, or says that it is an estimate', async () => {
  const tenant = 'ano.many';
  const ano = await operator(service, tenant);
  await insertMany(tenant, 10_000, 'nodes');
  await insertMany(tenant, 10_000, 'relations');
  type Counted = Readonly<{ count: number; estimated?: boolean; at_least?: boolean }>;
  const read = async (): Promise<Counted[]> => {
    const { prenodes, relations, waiting } = (await ano.get(OVERVIEW).expect(200)).body;
    return [prenodes.planned, relations, waiting[0].prenodes];
  };
  expect(await read()).toEqual([{ count: 10_000 }, { count: 10_000 }, { count: 10_000 }]);
  await insertMany(tenant, 1, 'nodes');
  await sql(
    service.databaseUrl,
    `insert into relation (tenant, relation_id, name, pip) values ($1, gen_random_uuid(), 'One more', 'PIP')`,
    [tenant],
  );
  for (const { count, estimated } of await read()) expect([count > 10_000, estimated]).toEqual([true, true]);
});

test('a count of which the statistics know little is said to be a least one', async () => {
  const tenant = 'ano.new';
  const ano = await operator(service, tenant);
  await sql(service.databaseUrl, 'analyze access_node');
  await insertMany(tenant, 12_000, 'nodes');
  const { waiting } = (await ano.get(OVERVIEW).expect(200)).body;
  expect(waiting[0].prenodes).toEqual({ count: 10_001, estimated: true, at_least: true });
  await sql(service.databaseUrl, 'analyze access_node');
  expect((await ano.get(OVERVIEW)).body.waiting[0].prenodes.at_least).toBeUndefined();
});

test('after 10,000 relations with nodes, the rest are not looked at, and the count says so', async () => {
  const tenant = 'ano.relations';
  const ano = await operator(service, tenant);
  const insert = (count: number): Promise<unknown> =>
    sql(
      service.databaseUrl,
      `insert into access_node (node_id, tenant, relation_id, collection, token, latitude, longitude, status)
       select gen_random_uuid(), $1, gen_random_uuid(), 'prenodes', 'planned', 48, 16, 'active' from generate_series(1, $2::int)`,
      [tenant, count],
    );
  await insert(9_999);
  expect((await ano.get(OVERVIEW).expect(200)).body.waiting_count).toEqual({ count: 9_999 });
  await insert(2);
  expect((await ano.get(OVERVIEW)).body.waiting_count).toEqual({ count: 10_000, estimated: true, at_least: true });
});
