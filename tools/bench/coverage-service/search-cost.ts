import { mkdirSync } from 'node:fs';
import type { Database, Statement } from '@fibre/database';
import pg from 'pg';
import { CoverageSearchRepository } from '../../../apps/coverage-service/src/coverage-search/coverage-search.repository.js';
import { CoverageSearchService } from '../../../apps/coverage-service/src/coverage-search/coverage-search.service.js';
import type { SearchFilters } from '../../../apps/coverage-service/src/coverage-search/coverage-search.sql.js';
import { DEFAULT_QUALITY_TABLE } from '../../../apps/coverage-service/src/coverage-search/quality.js';
import { prepareDatabase, startDatabaseServer } from '../databases.js';
import { readOptions } from '../options.js';
import { seeded } from '../random.js';
import { BENCH_DIR, build } from '../service.js';
import { nodesDataset } from './load-nodes.js';
import { inhabitedPoints } from './towns.js';

/**
 * Prints what a search costs the database, by place, radius and filter: how many statements it takes, how many nodes
 * these read, and how long it is. For docs/adr/0001-geography-without-extensions.md.
 */

const SERVICE = 'coverage-service';
const [POINTS, SEED, LIMIT] = [200, 5, 10];
const [SOUTH, NORTH, WEST, EAST] = [46.4, 49, 9.5, 17.1];

type Point = readonly [latitude: number, longitude: number];
interface PlanNode {
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}

/** Nodes that a statement read: those it kept and those that its conditions removed. */
const nodesRead = (plan: PlanNode): number =>
  (plan['Relation Name'] === undefined ? 0 : (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) * plan['Actual Loops']) +
  (plan.Plans ?? []).reduce((sum, below) => sum + nodesRead(below), 0);

/** What one search cost. */
interface Cost {
  readonly statements: number;
  readonly nodes: number;
  readonly milliseconds: number;
}

async function costOf(client: pg.Client, [latitude, longitude]: Point, radius: number, filters: SearchFilters): Promise<Cost> {
  const sent: Statement[] = [];
  const database = {
    read: async (statement: Statement) => {
      sent.push(statement);
      return (await client.query(statement)).rows as unknown[];
    },
  } as unknown as Database;
  const service = new CoverageSearchService(new CoverageSearchRepository(database), DEFAULT_QUALITY_TABLE);
  const begin = performance.now();
  await service.search({ center: { latitude: `${latitude}`, longitude: `${longitude}` }, search_radius: radius, limit: LIMIT, ...filters });
  const milliseconds = performance.now() - begin;
  let nodes = 0;
  for (const { text, values } of sent) {
    const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
      `explain (analyze, timing off, format json) ${text}`,
      values,
    );
    nodes += nodesRead(rows[0]!['QUERY PLAN'][0].Plan);
  }
  return { statements: sent.length, nodes, milliseconds };
}

const places: Record<string, (nodes: number) => Point[]> = {
  'where people live': (nodes) =>
    inhabitedPoints(nodes, POINTS, SEED).map(([latitude, longitude]) => [Number(latitude), Number(longitude)]),
  'anywhere in the country': () => {
    const random = seeded(SEED);
    return Array.from({ length: POINTS }, () => [SOUTH + (NORTH - SOUTH) * random.uniform(), WEST + (EAST - WEST) * random.uniform()]);
  },
  'in the ocean': () => Array.from({ length: POINTS }, (_, index) => [0, -30 + index / 100]),
};
const filters: Record<string, SearchFilters> = {
  none: {},
  'one in four': { technology: 'fttb' },
  'matches nothing': { status: 'terminated' },
};

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;
const spread = (values: readonly number[], digits = 0): string =>
  `${median(values).toFixed(digits)} / ${Math.max(...values).toFixed(digits)}`;

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(1));
const options = readOptions(process.argv.slice(2));
mkdirSync(BENCH_DIR, { recursive: true });
await build(SERVICE);
const postgres = await startDatabaseServer(SERVICE, options.sharedBuffers);
const on = (databaseUrl: string) => ({ service: SERVICE, databaseUrl, issuer: 'http://127.0.0.1:1' });
const { url, records } = await prepareDatabase(postgres.url, nodesDataset(options.nodes), on);
const client = new pg.Client(url);
await client.connect();

process.stdout.write(`${records} nodes, the ${LIMIT} nearest, ${POINTS} searches of each kind, median / most\n\n`);
process.stdout.write('| Where | Radius (m) | Filter | Statements | Nodes read | Milliseconds |\n| --- | --- | --- | --- | --- | --- |\n');
for (const [place, points] of Object.entries(places)) {
  for (const radius of [100, 1_000, 100_000]) {
    for (const [filter, values] of Object.entries(filters)) {
      const costs: Cost[] = [];
      for (const point of points(records).slice(0, filter === 'matches nothing' ? POINTS / 10 : POINTS))
        costs.push(await costOf(client, point, radius, values));
      const [statements, nodes, milliseconds] = (['statements', 'nodes', 'milliseconds'] as const).map((name) =>
        costs.map((cost) => cost[name]),
      );
      process.stdout.write(
        `| ${place} | ${radius} | ${filter} | ${spread(statements!)} | ${spread(nodes!)} | ${spread(milliseconds!, 1)} |\n`,
      );
    }
  }
}
await client.end();
await postgres.stop();
