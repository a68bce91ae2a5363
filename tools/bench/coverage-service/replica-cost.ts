import { setTimeout as sleep } from 'node:timers/promises';
import { createDataSource, Database, migrate } from '@fibre/database';
import { withClient } from '@fibre/embedded-postgres';
import { ReplicatedPostgres, until } from '@fibre/testing';
import { CoverageSearchRepository } from '../../../apps/coverage-service/src/coverage-search/coverage-search.repository.js';
import { CoverageSearchService } from '../../../apps/coverage-service/src/coverage-search/coverage-search.service.js';
import { DEFAULT_QUALITY_TABLE } from '../../../apps/coverage-service/src/coverage-search/quality.js';
import { schema } from '../../../apps/coverage-service/src/schema.js';
import { ReadReplica } from '../../../libs/database/src/read-replica.js';
import { loadOnce } from '../load-once.js';
import { nodesDataset } from './load-nodes.js';
import { inhabitedPoints } from './towns.js';

/**
 * Prints what it costs a search to be sure that the replica has all that was acknowledged: beside the same search on the primary, and on
 * the replica without a question. The time on the processor is that of this process, which on a busy machine tells more than the clock. For docs/adr/0012-read-replica.md.
 */

const [NODES, ROUNDS, ROUND_MS, SEED] = [20_000, 4, 1_000, 5];

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(1));
const servers = await ReplicatedPostgres.start('bench');
const settings = { poolSize: 10, applicationName: 'bench', ...schema };
const [onPrimary, onStandby] = [servers.primaryUrl, servers.standbyUrl].map((url) => createDataSource({ url, ...settings }));
await migrate(onPrimary!);
await withClient(servers.primaryUrl, (client) => loadOnce(client, nodesDataset(NODES)));
await Promise.all([onPrimary!.initialize(), onStandby!.initialize()]);
const replica = new ReadReplica(servers.standbyUrl, { url: servers.primaryUrl, ...settings });
replica.onModuleInit();

const sides = {
  'on the primary': new Database(onPrimary!),
  'on the replica, unasked': new Database(onStandby!),
  'on the replica, asked': new Database(onPrimary!, {}, replica),
};
const points = inhabitedPoints(NODES, 1_000, SEED);

/** Searches one after the other on each of several lines at once, for a while. @returns the milliseconds that each took */
async function load(database: Database, lines: number): Promise<number[]> {
  const service = new CoverageSearchService(new CoverageSearchRepository(database), DEFAULT_QUALITY_TABLE);
  const times: number[] = [];
  const end = performance.now() + ROUND_MS;
  await Promise.all(
    Array.from({ length: lines }, async (_, line) => {
      for (let turn = line; performance.now() < end; turn += lines) {
        const [latitude, longitude] = points[turn % points.length]!;
        const begin = performance.now();
        await service.search({ center: { latitude, longitude }, search_radius: 100, limit: 5 });
        times.push(performance.now() - begin);
      }
    }),
  );
  return times;
}

/** Writes so often a second, each write acknowledged before the next. @returns how to end it, with the number of writes */
function writing(perSecond: number): () => Promise<number> {
  let [count, isOver] = [0, perSecond === 0];
  const done = withClient(servers.primaryUrl, async (client) => {
    for (; !isOver; count++) {
      await client.query('update access_node set modified_at = now() where node_id = (select node_id from access_node limit 1)');
      await sleep(1_000 / perSecond);
    }
  });
  return async () => {
    isOver = true;
    await done;
    return count;
  };
}

const quantile = (sorted: readonly number[], share: number): string => sorted[Math.floor(sorted.length * share)]!.toFixed(2);
const current = (): number => replica.state.reads.find(({ pool, reason }) => pool === 'replica' && reason === 'current')!.count;
const all = (): number => replica.state.reads.reduce((sum, { count }) => sum + count, 0);

process.stdout.write(`${NODES} nodes, the 5 nearest within 100 m, ${ROUNDS} rounds of ${ROUND_MS / 1_000} s each in turns\n\n`);
process.stdout.write(
  '| Writes per second | At once | Search | per second | median (ms) | 99 % (ms) | processor (ms) | by the replica |\n| --- | --- | --- | --- | --- | --- | --- | --- |\n',
);
for (const perSecond of [0, 50]) {
  for (const lines of [1, 16]) {
    await until('the replica to be used', () => replica.state.inUse);
    const times = Object.keys(sides).map((): number[] => []);
    const processor = times.map(() => 0);
    const [currentBefore, allBefore, stop] = [current(), all(), writing(perSecond)];
    const begin = performance.now();
    for (let round = 0; round < ROUNDS; round++)
      for (const [index, database] of Object.values(sides).entries()) {
        const { user, system } = process.cpuUsage();
        times[index]!.push(...(await load(database, lines)));
        const used = process.cpuUsage({ user, system });
        processor[index]! += (used.user + used.system) / 1_000;
      }
    const written = ((await stop()) / (performance.now() - begin)) * 1_000;
    const share = (current() - currentBefore) / (all() - allBefore);
    for (const [index, side] of Object.keys(sides).entries()) {
      const sorted = times[index]!.sort((a, b) => a - b);
      const rate = (sorted.length / ((ROUNDS * ROUND_MS) / 1_000)).toFixed(0);
      const byReplica = ['0 %', '100 %', `${(share * 100).toFixed(1)} %`][index];
      process.stdout.write(
        `| ${written.toFixed(0)} | ${lines} | ${side} | ${rate} | ${quantile(sorted, 0.5)} | ${quantile(sorted, 0.99)} | ${(processor[index]! / sorted.length).toFixed(2)} | ${byReplica} |\n`,
      );
    }
  }
}
await replica.onApplicationShutdown();
await Promise.all([onPrimary!.destroy(), onStandby!.destroy()]);
await servers.close();
