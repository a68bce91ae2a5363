import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { WORKSPACE } from '../../workspace.js';
import { Child } from '../child.js';
import { SEARCHES, SEARCH_SEED, searchAt } from '../coverage-service/suite.js';
import { oneTenantDataset } from '../coverage-service/load-nodes.js';
import { inhabitedPoints, LISTED_TENANT } from '../coverage-service/towns.js';
import { prepareDatabase, readFiles, startDatabaseServer, versionOf } from '../databases.js';
import type { Dataset } from '../dataset.js';
import { writeSection } from '../document-section.js';
import { activationOf, ENTITIES, EVENTS } from '../event-service/activation.js';
import { TENANT } from '../event-service/load-events.js';
import { eventSuite } from '../event-service/suite.js';
import { type Issuer, startIssuer } from '../issuer.js';
import type { Load, LoadResult } from '../load-process.js';
import { machine } from '../machine.js';
import { type Options, readOptions } from '../options.js';
import { table } from '../report.js';
import { type BenchRequest, send } from '../requests.js';
import { median } from '../rounds.js';
import type { Server } from '../running.js';
import { BENCH_DIR, build, type ServiceOptions, startService } from '../service.js';
import { walk } from '../walk.js';
import { measureFiltered, PAGE } from './filtered-pages.js';
import { eventLists, nodeLists } from './filters.js';
import { type Asked, latencies, type Latency, shown } from './latency.js';
import { drawGrowth, type Grown } from './plot.js';

const PLOT = 'docs/growth.svg';
/** Requests of a row, and those for a page. */
const [REQUESTS, PAGES] = [1_000, 200];
/** A page deep in a walk. */
const DEEP = 10_000;
const SEARCH_CONNECTIONS = 16;

/** A service on tables of growing size. */
interface Sizes {
  readonly servers: readonly Server[];
  readonly token: Issuer['token'];
}
type Line = (title: string, times: readonly string[], ratio: number, atMost: number) => void;

/** `npm run bench -- growth`: what the size of its tables costs a service, and first pages by every filter and pair of filters at the largest. */
export async function benchGrowth(args: string[]): Promise<void> {
  const options = readOptions(args);
  mkdirSync(BENCH_DIR, { recursive: true });
  const grown: Grown[] = [];
  const suites: Record<string, () => Promise<string>> = {
    'coverage-service': () =>
      onSizes(
        'coverage-service',
        [0.1, 1, 10].map((part) => oneTenantDataset(options.nodes * part, LISTED_TENANT)),
        options,
        (sizes) => coverage(sizes, options, grown),
      ),
    'event-service': () => onSizes('event-service', eventSuite.datasets(options), options, (sizes) => events(sizes, grown)),
  };
  if (options.suite !== undefined) return void (await suites[options.suite]!());
  const sections: string[] = [];
  for (const run of Object.values(suites)) sections.push(await run());
  writeSection(join(WORKSPACE, 'docs/benchmarks.md'), 'growth', sections.join('\n\n'));
  writeFileSync(join(WORKSPACE, PLOT), drawGrowth(grown));
}

/** Runs the service on each dataset, beside each other on one server. @returns the Markdown of what `measure` finds */
async function onSizes(
  service: string,
  datasets: readonly Dataset[],
  options: Options,
  measure: (sizes: Sizes) => Promise<string[]>,
): Promise<string> {
  await build(service);
  const issuer = await startIssuer();
  const postgres = await startDatabaseServer(service, options.sharedBuffers);
  const on = (databaseUrl: string): ServiceOptions => ({ service, databaseUrl, issuer: issuer.url });
  const started: (Server & Pick<Awaited<ReturnType<typeof startService>>, 'program'>)[] = [];
  try {
    for (const dataset of datasets) {
      say(`preparing ${dataset.name}`);
      const database = await prepareDatabase(postgres.url, dataset, on);
      await readFiles(service, database);
      const { records } = database;
      const { url, program } = await startService(on(database.url), '/health/ready');
      started.push({ url, program, pid: program.pid, records });
      await program.ready();
    }
    const sections = await measure({ servers: started, token: issuer.token });
    const { records } = datasets.at(-1)!;
    return [`### ${service}`, ...sections, table(['Machine', ''], machine(await versionOf(postgres.url), records))].join('\n\n');
  } finally {
    await Promise.all(started.map(({ program }) => program.stop()));
    issuer.close();
    await postgres.stop();
  }
}

async function coverage({ servers, token }: Sizes, { rounds, seconds }: Options, grown: Grown[]): Promise<string[]> {
  const { rows, line } = lines();
  const searching = await token('isp.one', 'coverage:search');
  const reading = await token(LISTED_TENANT, 'coverage:read');
  const searches = (server: Server): BenchRequest[] => inhabitedPoints(server.records, SEARCHES, SEARCH_SEED).map(searchAt);

  // First, so that PostgreSQL too has in its buffers what is searched.
  const p99 = await underLoad(servers, searching, searches, rounds, seconds);
  const byOne = await latencies(
    servers.map((server) => ({ server, token: searching, requests: searches(server) })),
    REQUESTS,
  );
  compareSizes('Search, 5 nearest within 100 m, one at a time, p50', servers, byOne, 1.2, line);
  line(
    `The same on ${SEARCH_CONNECTIONS} connections, p99`,
    p99.map((ms) => `${ms} ms`),
    p99.at(-1)! / p99[0]!,
    2,
  );

  const firstPage = { path: `/v2/cov/nodes?_page_size=${PAGE}` };
  const first = await latencies(
    servers.map((server) => ({ server, token: reading, requests: [firstPage] })),
    PAGES,
  );
  compareSizes(`First page of ${PAGE} nodes with its count, p50`, servers, first, 1.5, line);
  await compareDepth(servers, firstPage.path, reading, line);
  grown.push({ name: 'search', servers, times: byOne }, { name: 'first page of nodes', servers, times: first });

  const { body } = await send(servers.at(-1)!, firstPage, reading);
  const [node] = JSON.parse(body) as { relation_id: string; customer_reference: string }[];
  return [headed(servers, rows), await measureFiltered(servers.at(-1)!, token, nodeLists(node!))];
}

async function events({ servers, token }: Sizes, grown: Grown[]): Promise<string[]> {
  const { rows, line } = lines();
  const [reading, writing] = [await token(TENANT, 'events:read'), await token(TENANT, 'events:write')];
  const puts = (): BenchRequest[] => Array.from({ length: REQUESTS * 2 }, () => activationOf(randomUUID()));
  const recorded = await latencies(
    servers.map((server) => ({ server, token: writing, requests: puts(), status: 201 })),
    REQUESTS,
  );
  compareSizes('PUT of a new activation, one at a time, p50', servers, recorded, 1.1, line);
  const firstPage = { path: `${EVENTS}?_page_size=${PAGE}` };
  const first = await latencies(
    servers.map((server) => ({ server, token: reading, requests: [firstPage] })),
    PAGES,
  );
  compareSizes(`First page of ${PAGE} events with its count, p50`, servers, first, 1.5, line);
  await compareDepth(servers, firstPage.path, reading, line);
  grown.push({ name: 'first page of events', servers, times: first }, { name: 'PUT', servers, times: recorded });

  const { body } = await send(servers.at(-1)!, { path: `${ENTITIES}?state=active&_page_size=1` }, reading);
  const [entity] = JSON.parse(body) as { entity_id: string; partner_id: string; article_codes: string[] }[];
  return [headed(servers, rows), await measureFiltered(servers.at(-1)!, token, eventLists(entity!))];
}

function compareSizes(title: string, servers: readonly Server[], times: readonly Latency[], atMost: number, line: Line): void {
  line(
    title,
    servers.map((_, index) => shown(times[index]!.p50)),
    times.at(-1)!.p50 / times[0]!.p50,
    atMost,
  );
}

/** The median over the rounds, in turns. */
async function underLoad(
  servers: readonly Server[],
  token: string,
  requestsOf: (server: Server) => BenchRequest[],
  rounds: number,
  seconds: number,
): Promise<number[]> {
  const load = new Child(join(import.meta.dirname, '../load-process.ts'));
  try {
    const found: number[][] = servers.map(() => []);
    for (let round = 0; round < rounds; round++) {
      for (const [index, server] of servers.entries()) {
        const asked: Load = { url: server.url, token, connections: SEARCH_CONNECTIONS, seconds, requests: requestsOf(server) };
        found[index]!.push((await load.ask<LoadResult>(asked)).p99);
      }
    }
    return found.map(median);
  } finally {
    await load.stop();
  }
}

/** At the largest size, a page deep in a walk beside the second one. */
async function compareDepth(servers: readonly Server[], firstPage: string, token: string, line: Line): Promise<void> {
  const server = servers.at(-1)!;
  const pages = await walk(server, firstPage, token, DEEP - 1);
  const asked = (requests: BenchRequest[]): Asked => ({ server, token, requests });
  const [second, deep] = await latencies([asked(pages.slice(0, 1)), asked(pages.slice(-1))], PAGES);
  const title = `Page ${(pages.length + 1).toLocaleString('en-GB')} of a walk, beside page 2 (${shown(second!.p50)}), p50`;
  line(title, [...servers.slice(1).map(() => ''), shown(deep!.p50)], deep!.p50 / second!.p50, 1.1);
}

function lines(): { rows: string[][]; line: Line } {
  const rows: string[][] = [];
  const line: Line = (title, times, ratio, atMost) => {
    rows.push([title, ...times, ratio.toFixed(2), `at most ${atMost}`, ratio <= atMost ? 'met' : '**missed**']);
    say(rows.at(-1)!.join(' | '));
  };
  return { rows, line };
}

const headed = (servers: readonly Server[], rows: readonly string[][]): string =>
  table(['', ...servers.map(({ records }) => `${records.toLocaleString('en-GB')} records`), 'Ratio', 'Goal', ''], rows);

const say = (text: string): void => void process.stdout.write(`${text}\n`);
