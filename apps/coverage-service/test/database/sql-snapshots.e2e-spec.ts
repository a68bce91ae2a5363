import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { recordSql, startTestService, type TestService, unrequestedOperations } from '@fibre/testing';
import { coverageService } from '../../src/coverage-service.js';
import { ChangesCleanUp } from '../../src/node-changes/changes-clean-up.js';
import { ImportsCleanUp } from '../../src/finished-imports/imports-clean-up.js';
import { type Client, create, newNode, NODES, operator, SEARCH } from '../access-nodes/access-nodes.js';
import { exportFile, FILE_FORMATS, importFile, SEARCH_EXPORT, searchFile } from '../node-import/imports.js';
import { getTile, tilePath } from '../map-tiles/map-tiles.js';
import { createRelation, RELATIONS, relationUrl } from '../relations/relations.js';

let services: TestService[];
let client: Client;
/** A client of a service with RELATIONS=registered. */
let registered: Client;

beforeAll(async () => {
  const service = await startTestService(coverageService);
  const other = await startTestService(coverageService, { RELATIONS: 'registered' });
  services = [service, other];
  client = await operator(service);
  registered = await operator(other);
});
afterAll(() => Promise.all(services.map((service) => service.close())));

const FILTERS = { token: 'planned', technology: 'ftth', status: 'active', modified_since: '2026-01-01T00:00:00Z' };
const nodesFile = (relation_id: string): string => `relation_id,token,center\n${relation_id},planned,"48, 16"\n`;

test('every statement matches its snapshot, which UPDATE_SQL=1 writes, and every operation is requested', async () => {
  const snapshots = await recordSql(join(import.meta.dirname, '../../src'), {
    'access-nodes': async () => {
      const { relation_id, node_id } = await create(client, { customer_reference: 'one' });
      await create(client, { relation_id });
      await client.post(NODES).send(newNode({ relation_id, customer_reference: 'one' }));
      await registered.post(NODES).send(newNode());
      for (const _order of ['asc', 'desc']) {
        const { headers } = await client.get(NODES).query({ _page_size: 1, _order });
        await client.get(/<https?:\/\/[^/]+([^>]+)>; rel="?next/.exec(headers['link'] as string)![1]!);
      }
      await client.get(NODES).query({ relation_id, ...FILTERS });
      for (const connected of [true, false]) await client.get(NODES).query({ connected });
      await client.get(NODES).query({ created_by: 'anna', modified_by: 'bert' });
      await client.get(`${NODES}${node_id}/`);
      for (const conditions of [{}, { 'if-match': '"2"' }])
        await client.patch(`${NODES}${node_id}/`).set(conditions).send({ token: 'operation' });
      await client.patch(`${NODES}${node_id}/`).send({ token: 'operation' });
      for (const dry_run of ['true', 'false'])
        await client
          .patch(NODES)
          .query({ dry_run })
          .send({ node_ids: [node_id], set: { token: 'planned' } });
      const { node_id: unwanted } = await create(client, { relation_id });
      for (const dry_run of ['true', 'false'])
        await client
          .post(`${NODES}deletions/`)
          .query({ dry_run })
          .send({ node_ids: [unwanted] });
      await client.delete(`${NODES}${node_id}/`);
    },
    relations: async () => {
      const [relation, other] = [await createRelation(client), await createRelation(client)];
      for (const _order of ['asc', 'desc']) await client.get(RELATIONS).query({ _page_size: 1, _order });
      await client.get(relationUrl(relation));
      await client.patch(relationUrl(relation)).send({ pip: 'PIP' });
      await client.delete(relationUrl(other));
      await create(client, { relation_id: relation.relation_id });
      await client.delete(relationUrl(relation));
    },
    'relation-nodes': async () => {
      const { relation_id } = await create(client, {}, 'prenodes');
      await client.put(NODES).query({ relation_id });
      await client.delete(NODES).query({ relation_id });
    },
    'coverage-search': async () => {
      for (const filters of [{}, { token: 'planned', technology: 'ftth', status: 'active', connected: 'true' }])
        await client.get(SEARCH).query({ center: '48, 16', ...filters });
      await searchFile(client, 'center\n"48, 16"\n');
      await client.get(`${SEARCH}addresses/5920471`);
      await client.get(`${SEARCH}addresses/`).query({ q: 'haupt 5 linz' });
    },
    'published-relations': async () => {
      const { relation_id } = await createRelation(client);
      await create(client, { relation_id });
      await client.get(`${SEARCH}relations/`).query({ _page_size: 1, tenant: 'ano.test' });
      await client.get(`${SEARCH}relations/${relation_id}/`);
    },
    'node-changes': async () => {
      await client.get(`${NODES}changes/`).query({ relation_id: randomUUID() });
      await client.get(`${SEARCH}changes/`);
      await services[0]!.app.get(ChangesCleanUp).run();
    },
    overview: () => client.get('/v2/cov/overview/').then(),
    find: () => client.get('/v2/cov/find/').query({ q: '11111111-1111' }).then(),
    'map-tiles': async () => {
      for (const z of [2, 16]) for (const query of [{}, FILTERS]) await getTile(client, tilePath(z, 0, 0), query);
    },
    'node-import': async () => {
      const { relation_id } = await create(client);
      await importFile(client, nodesFile(relation_id), { key: 'once' });
      await importFile(client, nodesFile(relation_id), { query: { mode: 'lax' } });
      await importFile(client, `token,center,customer_reference\nplanned,"48, 16",one\n`, {
        query: { relation_id, absent: 'delete', max_deleted: '1' },
      });
      await importFile(client, nodesFile(relation_id), { query: { dry_run: 'true' } });
      await importFile(client, `token,center,customer_reference\nplanned,"48, 16",one\n`, {
        query: { relation_id, absent: 'delete', dry_run: 'true' },
      });
      await importFile(client, `relation_id,token,center\n${'x,x,x\n'.repeat(10_000)}`);
      await importFile(registered, nodesFile(relation_id));
      await services[0]!.app.get(ImportsCleanUp).run();
    },
    'node-export': async () => {
      for (const format of FILE_FORMATS) await exportFile(client, format, { token: 'planned' });
      for (const format of FILE_FORMATS) await exportFile(client, format, { token: 'planned' }, SEARCH_EXPORT);
      await exportFile(client, 'csv', { tenant: 'ano.test' }, SEARCH_EXPORT);
    },
  });
  // An operation in this list needs a request above, under the name of its folder.
  expect(await unrequestedOperations(join(import.meta.dirname, '../..'), services)).toEqual([]);
  for (const { file, committed, sent } of snapshots) expect([file, sent]).toEqual([file, committed]);
});
