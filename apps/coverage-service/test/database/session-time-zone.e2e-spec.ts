import { startTestService, type TestService } from '@fibre/testing';
import { DataSource } from 'typeorm';
import { coverageService } from '../../src/coverage-service.js';
import { create, list, NODES, operator, SEARCH } from '../access-nodes/access-nodes.js';
import { exportFile, importFile } from '../node-import/imports.js';

const MINUTE_MS = 60_000;

let service: TestService;
afterAll(() => service.close());

/** We request UTC when we connect, but a pooler may be told to ignore that, and the role may have any time zone and format of dates. */
test('times are in UTC, and dates as sent, whatever the time zone and date style of the database sessions', async () => {
  service = await startTestService({
    ...coverageService,
    module: (env, databaseUrl) =>
      coverageService.module(env, `${databaseUrl}&options=-c%20timezone%3DAmerica/New_York%20-c%20datestyle%3DGerman`),
  });
  await expect(service.app.get(DataSource).query('show timezone')).resolves.toEqual([{ TimeZone: 'America/New_York' }]);
  const ano = await operator(service);
  const { node_id } = await create(ano, { center: '10, 10', available_from: '0001-02-03' });
  const node = (await ano.patch(`${NODES}${node_id}`).send({ token: 'operation' }).expect(200)).body;
  for (const time of [node.created_at, node.modified_at]) {
    expect(time).toMatch(/\+00:00$/);
    expect(Math.abs(Date.now() - Date.parse(time))).toBeLessThan(30 * MINUTE_MS);
  }
  expect((await ano.get(`${NODES}${node_id}`).expect(200)).body).toEqual(node);
  expect((await ano.get(SEARCH).query({ center: '10, 10' }).expect(200)).body).toMatchObject([{ node_id, created_at: node.created_at }]);
  const after = new Date(Date.parse(node.modified_at) + 1).toISOString();
  await expect(list(ano, { modified_since: node.modified_at })).resolves.toEqual([node]);
  await expect(list(ano, { modified_since: after })).resolves.toEqual([]);

  expect(node.available_from).toBe('0001-02-03');
  const file = await exportFile(ano, 'csv');
  expect(file).toContain(',0001-02-03,');
  await importFile(ano, file, { query: { target: 'prenodes' } });
  await expect(list(ano, { target: 'prenodes', available_until: '0001-02-03' })).resolves.toMatchObject([{ available_from: '0001-02-03' }]);
});
