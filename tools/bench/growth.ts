import { randomUUID } from 'node:crypto';
import { withClient } from '@fibre/embedded-postgres';
import type { ServiceProcess } from '@fibre/testing/processes';
import { searchAt } from './suites/coverage-suite.js';
import { type Dataset, onStage, prepareDatabase } from './setup/database.js';
import { activationOf, ENTITIES, EVENTS, PERIODS } from './suites/event-suite.js';
import { EVENT_TENANT, eventsDataset } from './setup/events.js';
import { type BenchRequest, part, send } from './setup/load.js';
import { inhabitedPoints, LISTED_TENANT, nodesDataset } from './setup/nodes.js';
import type { Options } from './suites/ratios.js';
import { MACHINE, say, table, verdict } from './setup/report.js';
import { newToken } from './setup/service.js';
import { walk } from './suites/scenario.js';

const PAGE = '_page_size=100';
const WARM_UP = 20;
const DEEP_PAGE = 10_000;

/** The service running once for each table size. */
interface Sizes {
  servers: readonly ServiceProcess[];
  databaseUrls: readonly string[];
  token: string;
}
/** Something to measure: requests to the servers, in turn, and how much longer those to the last one may take than those to the first one. */
interface Measurement {
  title: string;
  atMost: number;
  count: number;
  status?: number;
  servers: readonly ServiceProcess[];
  /** Requests to each of the servers. */
  requests: readonly (readonly BenchRequest[])[];
}

/** `npm run bench -- growth`: measures the same requests on larger and larger tables. */
export async function benchGrowth({ nodes, events, only }: Options): Promise<void> {
  const nodeSizes = [nodes / 10, nodes, nodes * 10].map((size) => nodesDataset(size, { oneTenant: true }));
  const eventSizes = [events / 10, events].map((size) => eventsDataset(size, Math.ceil(events / 100)));
  if ('coverage-service'.includes(only)) await onSizes(nodeSizes, LISTED_TENANT, 'coverage:read coverage:search', coverageMeasurements);
  if ('event-service'.includes(only)) await onSizes(eventSizes, EVENT_TENANT, 'events:read events:write', eventMeasurements);
}

async function onSizes(
  datasets: readonly Dataset[],
  tenant: string,
  scope: string,
  measurements: (sizes: Sizes) => Promise<Measurement[]>,
): Promise<void> {
  const [{ service }] = datasets as [Dataset];
  await onStage([service], async ({ issuer, postgres, start }) => {
    const sizes = { servers: [] as ServiceProcess[], databaseUrls: [] as string[], token: await newToken(issuer, tenant, scope) };
    for (const dataset of datasets) {
      sizes.databaseUrls.push(await prepareDatabase(postgres, dataset));
      sizes.servers.push(await start(service, sizes.databaseUrls.at(-1)!));
    }
    const head = ['Median', ...datasets.map(({ records }) => `${records.toLocaleString('en-GB')} rows`), 'p95 there', 'Ratio', 'Goal', ''];
    const rows: string[][] = [];
    for (const measurement of await measurements(sizes)) rows.push(await measure(measurement, sizes));
    say([`\nGrowth of ${service}`, MACHINE, table(head, rows)].join('\n\n'));
  });
}

/** Sends one request at a time, to each server in turn, so that other load affects all equally. */
async function measure({ title, atMost, count, status, servers, requests }: Measurement, sizes: Sizes): Promise<string[]> {
  const times = servers.map((): number[] => []);
  for (let turn = -Math.min(WARM_UP, count); turn < count; turn++) {
    for (const [index, server] of servers.entries()) {
      const own = requests[index]!;
      const began = performance.now();
      await send(server, own.at(turn % own.length)!, sizes.token, status);
      if (turn >= 0) times[index]!.push(performance.now() - began);
    }
  }
  const medians = times.map((one) => part(one, 0.5));
  const ratio = medians.at(-1)! / medians[0]!;
  const padding = sizes.servers.slice(servers.length).map(() => '');
  const cells = [...padding, ...medians.map(shown), shown(part(times.at(-1)!, 0.95))];
  const row = [title, ...cells, ratio.toFixed(2), `at most ${atMost}`, verdict(ratio <= atMost)];
  say(row.join(' | '));
  return row;
}

const shown = (ms: number): string => `${ms.toFixed(ms < 10 ? 2 : 0)} ms`;

/** The same request at each size. */
const page = ({ servers }: Sizes, title: string, path: string, atMost = 1.5, count = 200): Measurement => ({
  title,
  atMost,
  count,
  servers,
  requests: servers.map(() => [{ path }]),
});

/** A late page of a listing compared with its second page, at the largest size. */
async function depth({ servers, token }: Sizes, firstPage: string): Promise<Measurement> {
  const server = servers.at(-1)!;
  const pages = await walk(server, firstPage, token, DEEP_PAGE - 1);
  const title = `Page ${(pages.length + 1).toLocaleString('en-GB')} of a walk (last column) compared with page 2`;
  return { title, atMost: 1.1, count: 200, servers: [server, server], requests: [[pages[0]!], [pages.at(-1)!]] };
}

async function coverageMeasurements(sizes: Sizes): Promise<Measurement[]> {
  const { servers, databaseUrls } = sizes;
  const searches = await Promise.all(databaseUrls.map(async (url) => (await inhabitedPoints(url)).map(searchAt)));
  const firstPage = `/v2/cov/nodes?${PAGE}`;
  return [
    { title: 'Search, 5 nearest within 100 m', atMost: 1.2, count: 1_000, servers, requests: searches },
    page(sizes, 'First page of 100 nodes with its count', firstPage),
    await depth(sizes, firstPage),
    page(sizes, 'Page of the feed of nodes', `/v2/cov/nodes/changes?${PAGE}`),
    page(sizes, 'Find the nodes whose references begin alike', '/v2/cov/find?q=can-12'),
  ];
}

async function eventMeasurements(sizes: Sizes): Promise<Measurement[]> {
  const { servers, databaseUrls } = sizes;
  const activations = servers.map(() => Array.from({ length: 1_000 + WARM_UP }, () => activationOf(randomUUID())));
  const firstPage = `${EVENTS}?${PAGE}`;
  // The month after the loaded events, so that the same subscriptions are charged at both sizes.
  const month = 'from=2026-01-01&to=2026-02-01';
  const [file, totals] = [`${PERIODS}/export?${month}`, `${PERIODS}/totals?${month}`];
  const largest = servers.at(-1)!;
  const { rows } = await withClient(databaseUrls.at(-1)!, (client) =>
    client.query<{ entity_id: string }>(`select entity_id from timeline where state = 'active' limit 1`),
  );
  return [
    { title: 'PUT of a new activation', atMost: 1.1, count: 1_000, status: 201, servers, requests: activations },
    page(sizes, 'First page of 100 events with its count', firstPage),
    await depth(sizes, firstPage),
    page(sizes, 'Page of the feed of events', `${EVENTS}/changes?${PAGE}`),
    page(sizes, 'First page of a month of billing, with its count', `${PERIODS}?${month}`, 1.2, 20),
    page(sizes, 'A month of billing as CSV', file, 1.2, 5),
    page(sizes, 'Totals of a month of billing', totals, 1.2, 5),
    {
      title: 'Totals (last column) compared with that CSV',
      atMost: 0.5,
      count: 5,
      servers: [largest, largest],
      requests: [[{ path: file }], [{ path: totals }]],
    },
    page(sizes, 'Find an entity by the beginning of its id', `/api/v2/sys/find?q=${rows[0]!.entity_id.slice(0, 8)}`),
    // Filters that read many rows for few results.
    page(sizes, 'First page of the latest events, token=completed', `${EVENTS}/latest?${PAGE}&token=completed`, 12, 20),
    page(
      sizes,
      'First page of the entities with an article that none has',
      `${ENTITIES}?${PAGE}&state=active&article_code=NOTHING`,
      12,
      20,
    ),
    page(sizes, 'Trend of 12 months', '/api/v2/sys/overview/trend', 12, 20),
  ];
}
