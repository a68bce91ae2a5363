import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '@fibre/testing';
import { volume } from '@fibre/testing/volume';
import { newNode, NODES } from '../access-nodes/access-nodes.js';
import { ReplicatedService } from './replicated-service.js';

/** Longest time that a search may take while servers fail: enough to notice the fault and use the other server. */
const BOUND_MS = 20_000;

let service: ReplicatedService;
beforeAll(async () => (service = await ReplicatedService.start()));
afterAll(() => service.close());

/** Several clients search continuously while `work` runs; a failed or slow search fails the test. */
async function whileClientsSearch(work: () => Promise<void>): Promise<void> {
  let isDone = false;
  const working = work().finally(() => (isDone = true));
  const slowest = await Promise.all([
    ...Array.from({ length: 4 }, async () => {
      let longest = 0;
      while (!isDone) {
        const begin = performance.now();
        await service.find({ center: '80, 80' });
        longest = Math.max(longest, performance.now() - begin);
        await sleep(volume(50, 5));
      }
      return longest;
    }),
    working,
    // Waits for `work` even if a search fails, because the next test needs both servers running.
  ]).finally(() => working);
  for (const longest of slowest) if (longest) expect(longest).toBeLessThan(BOUND_MS);
}

test('no search fails while a standby is killed and comes back', async () => {
  const { standby } = service.servers;
  await service.untilSearchesAreBy('replica');
  await whileClientsSearch(async () => {
    await standby.kill();
    await service.untilSearchesAreBy('primary');
    await standby.start();
    await service.untilSearchesAreBy('replica');
  });
});

test('searches continue while a standby is silent, as behind a firewall that drops packets', async () => {
  await service.untilSearchesAreBy('replica');
  await whileClientsSearch(async () => {
    service.toStandby.fallSilent();
    await service.untilSearchesAreBy('primary');
    await service.toStandby.mend();
    await service.untilSearchesAreBy('replica');
  });
});

test('if a standby goes silent during a search, the primary runs it', async () => {
  await service.untilSearchesAreBy('replica');
  const before = await service.searchesBy('primary');
  service.toStandby.fallSilent('coverage-search-nearby');
  await service.find({ center: '80, 80' });
  expect(await service.searchesBy('primary')).toBeGreaterThan(before);
  await service.toStandby.mend();
  await service.untilSearchesAreBy('replica');
});

test('while the primary is down, searches continue, and writes and lists are rejected', async () => {
  const { primary } = service.servers;
  const { client } = service;
  await service.untilSearchesAreBy('replica');
  await whileClientsSearch(async () => {
    await primary.kill();
    // The processes of its connections notice a moment later that their server has been killed.
    await until('writes to be rejected', async () => (await client.post(NODES).send(newNode())).status === 503);
    await client.get(NODES).expect(503);
    await until('the lag to exceed the limit', async () => (await service.metric('lag_seconds')) > 4);
    expect(await service.metric('in_use')).toBe(1);
    await primary.start();
    await until('writes to be possible', async () => (await client.post(NODES).send(newNode())).status === 201);
    await client.get(NODES).expect(200);
  });
  await service.untilSearchesAreBy('replica');
});

test('if the primary goes silent while the replica is too far behind, searches use the replica', async () => {
  await service.untilSearchesAreBy('replica');
  await service.replay('pause');
  await service.createAlone();
  await service.untilSearchesAreBy('primary');
  service.toPrimary.fallSilent();
  await until('the silence to be noticed', async () => (await service.metric('in_use')) === 1);
  const before = await service.searchesBy('replica');
  await service.find({ center: '80, 80' });
  expect(await service.searchesBy('replica')).toBeGreaterThan(before);
  await service.toPrimary.mend();
  await service.replay('resume');
  await until('writes to be possible', async () => (await service.client.post(NODES).send(newNode())).status === 201);
});

test('a promoted standby is not used, whatever is written to it, until it is a standby again', async () => {
  const { servers } = service;
  const node = await service.createAlone();
  await servers.standby.query('postgres', 'select pg_promote()');
  await until('the promotion to be noticed', async () => (await service.metric('in_use')) === 0);
  await servers.standby.query('coverage', 'delete from access_node');
  expect(await service.find(node)).toEqual([node.node_id]);
  await servers.renewStandby();
  await service.untilSearchesAreBy('replica');
  await until('the search to find it', async () => (await service.find(node)).length > 0);
});
