import { createDataSource } from '@fibre/database';
import { migrateDatabase } from '@fibre/server';
import { createLeastPrivilegeDatabase, type LeastPrivilegeDatabase, startTestService, type TestService } from '@fibre/testing';
import { coverageService } from '../../src/coverage-service.js';
import { create, list, NODES, operator, SEARCH } from '../access-nodes/access-nodes.js';
import { createRelation, RELATIONS, relationUrl } from '../relations/relations.js';

/** A database with the roles that the SQL in docs/operations.md creates. */
let database: LeastPrivilegeDatabase;
let service: TestService | undefined;

beforeAll(async () => void (database = await createLeastPrivilegeDatabase()));
afterAll(() => (service ?? database).close());

test('the migrating role can create the schema, and the serving role cannot', async () => {
  await expect(migrateDatabase(coverageService, database.serveUrl)).rejects.toThrow('permission denied for schema public');
  await expect(migrateDatabase(coverageService, database.migrateUrl)).resolves.not.toEqual([]);
  await expect(migrateDatabase(coverageService, database.migrateUrl)).resolves.toEqual([]);
});

test('the serving role can only read and write rows', async () => {
  const serving = createDataSource({ url: database.serveUrl, poolSize: 1, applicationName: 'spec', entities: [], migrations: [] });
  await serving.initialize();
  const tables = await serving.query<{ name: string }[]>(`select tablename as name from pg_tables where schemaname = 'public'`);
  expect(tables.length).toBeGreaterThan(1);
  for (const { name } of tables) {
    await expect(serving.query(`alter table ${name} add column extra int`)).rejects.toThrow('must be owner');
    await expect(serving.query(`truncate ${name}`)).rejects.toThrow('permission denied');
  }
  await expect(serving.query('create table mine (id int)')).rejects.toThrow('permission denied');
  await serving.destroy();
});

test('every operation works with the serving role', async () => {
  service = await startTestService(
    coverageService,
    { MIGRATE_ON_START: 'false', RELATIONS: 'registered' },
    { url: database.serveUrl, drop: () => database.close() },
  );
  const ano = await operator(service);
  const relation = await createRelation(ano);
  const { relation_id } = relation;
  await ano.patch(relationUrl(relation)).send({ pip: 'other' }).expect(200);
  await ano.get(relationUrl(relation)).expect(200);
  expect((await ano.get(RELATIONS).expect(200)).body).toHaveLength(1);
  const { node_id } = await create(ano, { relation_id, customer_reference: 'one' }, 'prenodes');
  await ano
    .put(NODES)
    .query({ relation_id })
    .expect(200, { action: [{ count: 1, merge_action: 'INSERT' }] });
  await create(ano, { relation_id, customer_reference: 'one', token: 'operation' }, 'prenodes');
  await ano
    .put(NODES)
    .query({ relation_id })
    .expect(200, { action: [{ count: 1, merge_action: 'UPDATE' }] });
  await ano.patch(`${NODES}${node_id}`).send({ status: 'started' }).expect(200);
  await ano.get(`${NODES}${node_id}`).expect(200);
  expect(await list(ano, { relation_id })).toHaveLength(1);
  expect((await ano.get(SEARCH).query({ center: '48.208555, 16.372966' }).expect(200)).body).toHaveLength(1);
  await ano.delete(`${NODES}${node_id}`).expect(204);
  await create(ano, { relation_id });
  await ano.delete(relationUrl(relation)).expect(409);
  await ano.delete(NODES).query({ relation_id }).expect(204);
  expect(await list(ano, { relation_id })).toEqual([]);
  await ano.delete(relationUrl(relation)).expect(204);
  await service.anonymous().get('/health/ready').expect(200);
});
