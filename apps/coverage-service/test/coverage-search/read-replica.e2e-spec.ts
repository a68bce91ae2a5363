import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '@fibre/testing';
import { volume } from '@fibre/testing/volume';
import { idsOf, list, NODES } from '../access-nodes/access-nodes.js';
import { MAX_LAG, ReplicatedService } from './replicated-service.js';

let service: ReplicatedService;
beforeAll(async () => (service = await ReplicatedService.start()));
afterAll(() => service.close());

test('searches use the replica; everything else uses the primary, so that a client sees what it has written', async () => {
  const { client } = service;
  await service.untilSearchesAreBy('replica');
  await service.replay('pause');
  const node = await service.createAlone();
  const { node_id, relation_id } = node;
  expect((await client.get(`${NODES}${node_id}`).expect(200)).body).toEqual(node);
  expect(idsOf(await list(client, { relation_id }))).toEqual([node_id]);
  await client.patch(`${NODES}${node_id}`).send({ token: 'operation' }).expect(200);
  await service.replay('resume');
  await until('the search to find it', async () => (await service.find(node)).length > 0);
});

test('a replica that is too far behind is not used until it has caught up, so searches stay current', async () => {
  await service.untilSearchesAreBy('replica');
  await service.replay('pause');
  await service.createAlone();
  await until('the lag to be seen', async () => (await service.metric('in_use')) === 0);
  expect(await service.metric('lag_seconds')).toBeGreaterThan(MAX_LAG);
  const before = await service.searchesBy('replica');
  for (let round = 0; round < 20; round++) {
    const node = await service.createAlone();
    expect(await service.find(node)).toEqual([node.node_id]);
  }
  expect(await service.searchesBy('replica')).toBe(before);

  await service.replay('resume');
  await service.untilSearchesAreBy('replica');
  expect(await service.metric('lag_seconds')).toBeLessThanOrEqual(MAX_LAG);
});

test('a primary without writes causes no lag', async () => {
  await service.untilSearchesAreBy('replica');
  await sleep((MAX_LAG + 2) * 1_000);
  expect(await service.metric('in_use')).toBe(1);
  // On a busy machine, a check may come before the replica has replayed what the server itself writes.
  await until('no lag', async () => (await service.metric('lag_seconds')) === 0);
});

test('a primary with constant writes causes no lag', async () => {
  await service.untilSearchesAreBy('replica');
  const [replica, primary] = [await service.searchesBy('replica'), await service.searchesBy('primary')];
  for (const end = Date.now() + (MAX_LAG + 2) * 1_000; Date.now() < end; await sleep(volume(20, 0)))
    await service.find(await service.createAlone());
  expect(await service.searchesBy('replica')).toBeGreaterThan(replica);
  expect(await service.searchesBy('primary')).toBe(primary);
});
