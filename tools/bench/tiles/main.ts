import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { withClient } from '@fibre/embedded-postgres';
import type pg from 'pg';
import { MAX_ZOOM } from '../../../apps/coverage-service/src/geography/map-tile.js';
import { WORKSPACE } from '../../workspace.js';
import { oneTenantDataset } from '../coverage-service/load-nodes.js';
import { LISTED_TENANT } from '../coverage-service/towns.js';
import { prepareDatabase, startDatabaseServer, versionOf } from '../databases.js';
import { startIssuer } from '../issuer.js';
import { machine } from '../machine.js';
import { readOptions } from '../options.js';
import { table } from '../report.js';
import { median } from '../rounds.js';
import { BENCH_DIR, build, type ServiceOptions, startService } from '../service.js';
import { writeSection } from '../document-section.js';

const SERVICE = 'coverage-service';
/** Tiles that are asked for at each zoom level, one after the other; some of them again where there are fewer. */
const REQUESTS = 100;
const WARM_UP = 10;
const MAX_P95_MS = 150;
const FILTERS: Readonly<Record<string, string>> = { 'one in four': 'status=suspended', 'matches nothing': 'status=terminated' };
const FILTERED_ZOOMS = [0, 4, 6, 8, 10, 12];
/** Rows that are inserted to see what the indexes cost. */
const INSERTED = 20_000;

type Place = readonly [latitude: number, longitude: number];
interface Measured {
  readonly tiles: number;
  readonly p50: number;
  readonly p95: number;
  readonly kilobytes: number;
}

/** `npm run bench -- tiles`: what map tiles take where one tenant has all nodes, at every zoom level, and what their indexes cost. */
export async function benchTiles(args: string[]): Promise<void> {
  const options = readOptions(args);
  const say = (line: string): void => void process.stdout.write(`${line}\n`);
  mkdirSync(BENCH_DIR, { recursive: true });
  await build(SERVICE);
  const issuer = await startIssuer();
  const postgres = await startDatabaseServer(SERVICE, options.sharedBuffers);
  const on = (databaseUrl: string): ServiceOptions => ({ service: SERVICE, databaseUrl, issuer: issuer.url });
  try {
    say(`preparing ${options.nodes} nodes`);
    const { url, records } = await prepareDatabase(postgres.url, oneTenantDataset(options.nodes, LISTED_TENANT), on);
    const places = await withClient(url, somePlaces);
    const token = await issuer.token(LISTED_TENANT, 'coverage:read');
    const service = await startService(on(url), '/health/ready');
    const rows: string[][] = [];
    const filtered: string[][] = [];
    try {
      await service.program.ready();
      const row = ({ tiles, p50, p95, kilobytes }: Measured): string[] => [
        String(tiles),
        `${kilobytes.toFixed(0)} kB`,
        `${p50.toFixed(0)} ms`,
        `${p95.toFixed(0)} ms`,
        p95 <= MAX_P95_MS ? 'met' : '**missed**',
      ];
      for (let zoom = 0; zoom <= MAX_ZOOM; zoom++) {
        rows.push([String(zoom), ...row(await measure(service.url, token, places, zoom, ''))]);
        say(rows.at(-1)!.join(', '));
      }
      for (const [filter, query] of Object.entries(FILTERS)) {
        for (const zoom of FILTERED_ZOOMS) {
          filtered.push([filter, String(zoom), ...row(await measure(service.url, token, places, zoom, query))]);
          say(filtered.at(-1)!.join(', '));
        }
      }
    } finally {
      await service.program.stop();
    }
    const columns = ['Tiles', 'Size, median', 'p50', 'p95', `At most ${MAX_P95_MS} ms`];
    const text = [
      `${REQUESTS} requests at each zoom level, one after the other, for tiles that hold nodes.`,
      table(['Zoom', ...columns], rows),
      table(['Filter', 'Zoom', ...columns], filtered),
      table(['Indexes of the map', ''], await withClient(url, indexCost)),
      table(['Machine', ''], machine(await versionOf(postgres.url), records)),
    ].join('\n\n');
    say(`\n${text}`);
    writeSection(join(WORKSPACE, 'docs/benchmarks.md'), 'tiles', text);
  } finally {
    issuer.close();
    await postgres.stop();
  }
}

/** Of nodes from all over the country, the same in every run. */
async function somePlaces(client: pg.Client): Promise<Place[]> {
  const { rows } = await client.query<{ latitude: number; longitude: number }>(
    `select n.position[1] as latitude, n.position[0] as longitude from access_node n
     where n.collection = 'nodes' order by md5(n.node_id::text) limit $1`,
    [REQUESTS],
  );
  return rows.map(({ latitude, longitude }) => [latitude, longitude]);
}

const tileAround = (zoom: number, [latitude, longitude]: Place): string => {
  const down = (1 - Math.asinh(Math.tan((latitude * Math.PI) / 180)) / Math.PI) / 2;
  return `/v2/cov/tiles/${zoom}/${Math.floor(((longitude + 180) / 360) * 2 ** zoom)}/${Math.floor(down * 2 ** zoom)}.mvt`;
};

async function measure(url: string, token: string, places: readonly Place[], zoom: number, query: string): Promise<Measured> {
  const tiles = [...new Set(places.map((place) => tileAround(zoom, place)))];
  const times: number[] = [];
  const sizes: number[] = [];
  for (let i = -WARM_UP; i < REQUESTS; i++) {
    const begin = performance.now();
    const path = tiles[(i + WARM_UP) % tiles.length]!;
    const answer = await fetch(`${url}${path}?${query}`, { headers: { authorization: `Bearer ${token}` } });
    const { byteLength } = await answer.arrayBuffer();
    if (answer.status !== 200 && !(answer.status === 204 && query !== '')) throw new Error(`${path} was answered ${answer.status}`);
    if (i < 0) continue;
    times.push(performance.now() - begin);
    sizes.push(byteLength / 1_000);
  }
  const sorted = times.sort((a, b) => a - b);
  return { tiles: tiles.length, p50: median(sorted), p95: sorted[Math.ceil(sorted.length * 0.95) - 1]!, kilobytes: median(sizes) };
}

/** What the indexes take beside the whole table, and what they add to an insertion. Nothing of it stays. */
async function indexCost(client: pg.Client): Promise<string[][]> {
  const { rows: indexes } = await client.query<{ name: string; bytes: string }>(
    `select indexrelid::regclass::text as name, pg_relation_size(indexrelid) as bytes from pg_index
     where indrelid = 'access_node'::regclass and indexrelid::regclass::text like 'access_node_map%'`,
  );
  const { rows: whole } = await client.query<{ bytes: string }>(`select pg_total_relation_size('access_node') as bytes`);
  const ratios: number[] = [];
  for (let round = 0; round < 5; round++) {
    await client.query('begin');
    const withIndexes = await timeInsertion(client);
    for (const { name } of indexes) await client.query(`drop index ${name}`);
    ratios.push(withIndexes / (await timeInsertion(client)));
    await client.query('rollback');
  }
  const megabytes = (bytes: number): string => `${(bytes / 1024 ** 2).toFixed(0)} MB`;
  return [
    ['Size of them', megabytes(indexes.reduce((sum, { bytes }) => sum + Number(bytes), 0))],
    ['Size of the table with all indexes', megabytes(Number(whole[0]!.bytes))],
    [`Time of an insertion of ${INSERTED} nodes, with them to without, median of 5`, median(ratios).toFixed(2)],
  ];
}

async function timeInsertion(client: pg.Client): Promise<number> {
  const begin = performance.now();
  await client.query(
    `insert into access_node (node_id, tenant, relation_id, collection, token, latitude, longitude, technology, status)
     select gen_random_uuid(), n.tenant, n.relation_id, n.collection, n.token, n.latitude, n.longitude, n.technology, n.status
     from access_node n limit $1`,
    [INSERTED],
  );
  return performance.now() - begin;
}
