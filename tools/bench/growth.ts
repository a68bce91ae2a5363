import { randomUUID } from 'node:crypto';
import { withClient } from '@fibre/embedded-postgres';
import { searchAt } from './suites/coverage-suite.js';
import { type Dataset, onStage, prepareDatabase } from './setup/database.js';
import { activationOf, ENTITIES, EVENTS, PERIODS } from './suites/event-suite.js';
import { EVENT_TENANT, eventsDataset } from './setup/events.js';
import { type BenchRequest, send } from './setup/load.js';
import { inhabitedPoints, LISTED_TENANT, nodesDataset } from './setup/nodes.js';
import type { Options } from './suites/ratios.js';
import { goalRow, machine, say, table } from './setup/report.js';
import { part, timeInTurn } from './setup/timing.js';
import { walk } from './suites/scenario.js';
import { type Issuer, type Server, type ServiceName, startService } from './setup/service.js';

const PAGE_SIZE = 100;
const REQUESTS = { single: 1_000, page: 200, filter: 20, file: 5, warmUp: 20 };
const DEEP_PAGE = 10_000;
const MAX_FILTERED_MS = 100;

/** One service, running once for each table size. */
interface Sizes {
  servers: readonly Server[];
  records: readonly number[];
  databaseUrls: readonly string[];
  issuer: Issuer;
}
type Measure = (sizes: Sizes) => Promise<string[]>;

/** `npm run bench -- growth`: measures larger tables, and the first pages for every filter and pair of filters at the largest size. */
export async function benchGrowth({ nodes, events, only = '' }: Options): Promise<void> {
  const nodeSizes = [nodes / 10, nodes, nodes * 10].map((size) => nodesDataset(size, true));
  if ('coverage-service'.includes(only)) await onSizes('coverage-service', nodeSizes, measureCoverage);
  const eventSizes = [events / 10, events].map((size) => eventsDataset(size, Math.ceil(events / 100)));
  if ('event-service'.includes(only)) await onSizes('event-service', eventSizes, measureEvents);
}

const onSizes = (service: ServiceName, datasets: readonly Dataset[], measure: Measure): Promise<void> =>
  onStage(service, async ({ issuer, postgres, version, keep }) => {
    const servers: Server[] = [];
    const databaseUrls: string[] = [];
    for (const dataset of datasets) {
      databaseUrls.push(await prepareDatabase(postgres, dataset));
      servers.push(keep(await startService(service, databaseUrls.at(-1)!, issuer.url)));
    }
    const tables = await measure({ servers, records: datasets.map(({ records }) => records), databaseUrls, issuer });
    say([`\nGrowth of ${service}`, machine(version), ...tables].join('\n\n'));
  });

async function measureCoverage({ servers, records, databaseUrls, issuer }: Sizes): Promise<string[]> {
  const reading = await issuer.tokenFor(LISTED_TENANT, 'coverage:read coverage:search');
  const searches = await Promise.all(databaseUrls.map(async (url) => (await inhabitedPoints(url)).map(searchAt)));
  const firstPage = `/v2/cov/nodes?_page_size=${PAGE_SIZE}`;
  const changes = ['nodes', 'search'].map((feed) => `/v2/cov/${feed}/changes?_page_size=${PAGE_SIZE}`);
  const rows = [
    sizesRow('Search, 5 nearest within 100 m', 1.2, await medians(servers, reading, (size) => searches[size]!, REQUESTS.single)),
    await pageRow(servers, reading, `First page of ${PAGE_SIZE} nodes with its count`, firstPage),
    await depthRow(servers, firstPage, reading),
    await pageRow(servers, reading, 'Find the nodes whose references begin alike', '/v2/cov/find?q=can-12'),
  ];
  for (const path of changes) rows.push(await pageRow(servers, reading, `Page of \`${path.split('?')[0]}\``, path));
  const [node] = await select<{ relation_id: string; customer_reference: string; middle: Date }>(
    databaseUrls.at(-1)!,
    `select relation_id, customer_reference, (select min(created_at) + (max(created_at) - min(created_at)) / 2 from access_node) as middle
     from access_node order by md5(node_id::text) limit 1`,
  );
  const filters = {
    relation_id: [node!.relation_id, randomUUID()],
    token: ['operation', 'planned'],
    technology: ['ftth', 'fttb', 'fwa'],
    status: ['active', 'suspended', 'terminated'],
    customer_reference: [node!.customer_reference, 'nobody'],
    modified_since: ['2026-01-01T00:00:00Z', node!.middle.toISOString(), '2040-01-01T00:00:00Z'],
  };
  const filtered = [await filteredRow(servers.at(-1)!, firstPage, reading, filters)];
  return [table(sizesHead(records), rows), table(FILTERED_HEAD, filtered)];
}

async function measureEvents({ servers, records, databaseUrls, issuer }: Sizes): Promise<string[]> {
  const token = await issuer.tokenFor(EVENT_TENANT, 'events:read events:write');
  const activations = Array.from({ length: REQUESTS.single + REQUESTS.warmUp }, () => activationOf(randomUUID()));
  const pages = [`${EVENTS}?_page_size=${PAGE_SIZE}`, `${EVENTS}/latest?_page_size=${PAGE_SIZE}`, `${ENTITIES}?_page_size=${PAGE_SIZE}`];
  const rows = [sizesRow('PUT of a new activation', 1.1, await medians(servers, token, () => activations, REQUESTS.single, 201))];
  for (const path of pages) rows.push(await pageRow(servers, token, `First page of \`${path.split('?')[0]}\``, path));
  rows.push(await depthRow(servers, pages[0]!, token));
  rows.push(await pageRow(servers, token, `Page of \`${EVENTS}/changes\``, `${EVENTS}/changes?_page_size=${PAGE_SIZE}`));
  // The month after the loaded events, so that the same subscriptions are charged at both sizes.
  const month = 'from=2026-01-01&to=2026-02-01';
  const billed = `${PERIODS}?${month}`;
  rows.push(await pageRow(servers, token, 'First page of a month of billing, with its count', billed, 1.2, REQUESTS.filter));
  const [file, totals] = [`${PERIODS}/export?${month}`, `${PERIODS}/totals?${month}`];
  rows.push(await pageRow(servers, token, 'A month of billing as CSV', file, 1.2, REQUESTS.file));
  rows.push(await pageRow(servers, token, 'Totals of a month of billing', totals, 1.2, REQUESTS.file));
  const largest = servers.at(-1)!;
  const both = await medians([largest, largest], token, (index) => [{ path: [file, totals][index]! }], REQUESTS.file);
  rows.push(sizesRow('Totals (second column) compared with that CSV (first)', 0.5, both));
  const [entity] = await select<{ entity_id: string; partner_id: string; article: string }>(
    databaseUrls.at(-1)!,
    `select entity_id, partner_id, article_codes[1] as article from timeline where state = 'active' limit 1`,
  );
  const found = `/api/v2/sys/find?q=${entity!.entity_id.slice(0, 8)}`;
  rows.push(await pageRow(servers, token, 'Find an entity by the beginning of its id', found));
  rows.push(await pageRow(servers, token, 'Trend of 12 months', '/api/v2/sys/overview/trend', 12, REQUESTS.filter));
  const eventFilters = {
    period: ['2024-01-01&period_end=2025-12-31', '2025-02-03', '2030-01-01'],
    token: ['untouched', 'completed', 'fresh'],
    entity_id: [entity!.entity_id, randomUUID()],
  };
  const entityFilters = {
    state: ['active', 'inactive', 'announced'],
    partner_id: [entity!.partner_id, randomUUID()],
    article_code: [entity!.article, 'NOTHING'],
  };
  const filtered: string[][] = [];
  for (const [index, path] of pages.entries())
    filtered.push(await filteredRow(servers.at(-1)!, path, token, index === 2 ? entityFilters : eventFilters));
  return [table(sizesHead(records), rows), table(FILTERED_HEAD, filtered)];
}

/** Median milliseconds per request. Sends one request at a time, to each server in turn. */
async function medians(
  servers: readonly Server[],
  token: string,
  requestsFor: (size: number) => readonly BenchRequest[],
  count: number,
  status = 200,
): Promise<number[]> {
  const works = servers.map((server, size) => (turn: number) => {
    const requests = requestsFor(size);
    return send(server, requests[turn % requests.length]!, token, status);
  });
  return (await timeInTurn(works, count, Math.min(REQUESTS.warmUp, count))).map((times) => part(times, 0.5));
}

/** Measures the same request at each size. */
const pageRow = async (servers: readonly Server[], token: string, title: string, path: string, atMost = 1.5, count = REQUESTS.page) =>
  sizesRow(title, atMost, await medians(servers, token, () => [{ path }], count));

const shown = (ms: number): string => `${ms.toFixed(ms < 10 ? 2 : 0)} ms`;

const sizesHead = (records: readonly number[]): string[] => [
  ...['Median', ...records.map((count) => `${count.toLocaleString('en-GB')} rows`)],
  ...['Ratio', 'Goal', ''],
];

function sizesRow(title: string, atMost: number, times: readonly number[]): string[] {
  const [, , , ...verdict] = goalRow(title, shown(times.at(-1)!), shown(times[0]!), times.at(-1)! / times[0]!, atMost);
  return [title, ...times.map(shown), ...verdict];
}

/** Compares a late page of a listing with its second page, at the largest size. */
async function depthRow(servers: readonly Server[], firstPage: string, token: string): Promise<string[]> {
  const server = servers.at(-1)!;
  const pages = await walk(server, firstPage, token, DEEP_PAGE - 1);
  const [second, deep] = await medians([server, server], token, (index) => [index === 0 ? pages[0]! : pages.at(-1)!], REQUESTS.page);
  const title = `Page ${(pages.length + 1).toLocaleString('en-GB')} of a walk, compared with page 2 (${shown(second!)})`;
  return sizesRow(title, 1.1, [second!, deep!]).toSpliced(1, 1, ...servers.slice(1).map(() => ''));
}

const FILTERED_HEAD = ['List', 'Filters and pairs', 'Slowest p95', `p95 over ${MAX_FILTERED_MS} ms`];

/** Measures first pages, including their count, for each filter and each pair of filters. */
async function filteredRow(server: Server, page: string, token: string, filters: Record<string, readonly string[]>): Promise<string[]> {
  const singles = Object.entries(filters).map(([name, values]) => values.map((value) => `&${name}=${value}`));
  const pairs = singles.flatMap((one, index) => singles.slice(index + 1).flatMap((other) => one.flatMap((a) => other.map((b) => a + b))));
  const found: { query: string; p95: number }[] = [];
  for (const query of [...singles.flat(), ...pairs]) {
    const [times] = await timeInTurn([() => send(server, { path: page + query }, token)], REQUESTS.filter);
    found.push({ query, p95: part(times!, 0.95) });
  }
  const slowest = found.reduce((one, other) => (other.p95 > one.p95 ? other : one));
  const slow = found.filter(({ p95 }) => p95 > MAX_FILTERED_MS);
  for (const { query, p95 } of slow) say(`  ${page}${query}: ${shown(p95)}`);
  return [`\`${page.split('?')[0]}\``, String(found.length), `${shown(slowest.p95)}: \`${slowest.query.slice(1)}\``, String(slow.length)];
}

const select = <Row extends object>(databaseUrl: string, text: string): Promise<Row[]> =>
  withClient(databaseUrl, async (client) => (await client.query(text)).rows as Row[]);
