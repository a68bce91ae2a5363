import { isDeepStrictEqual } from 'node:util';
import type { Dataset } from '../setup/database.js';
import { type BenchRequest, send, type Server } from '../setup/load.js';
import type { ServiceName } from '../setup/service.js';

/** One kind of request, sent to the service and to the bare handler. */
export interface Scenario {
  title: string;
  tenant: string;
  scope: string;
  connections: number;
  status: number;
  /** Lowest allowed ratio of requests per second, service to bare handler. */
  atLeast: number;
  requests: (service: Server, token: string, databaseUrl: string) => Promise<BenchRequest[]> | BenchRequest[];
  /** Members of a response body that may differ between the two servers. */
  differing?: readonly string[];
}

/** What the bench knows about one service. */
export interface Suite {
  service: ServiceName;
  dataset: Dataset;
  scenarios: readonly Scenario[];
}

export const PAGE_SIZE = 2_000;
/** Number of requests whose responses are compared. */
const COMPARED = 25;
const MAX_PAGES = 100;

/** Checks that both servers send the same responses; otherwise their speed cannot be compared. */
export async function expectSameResponses(
  servers: readonly [Server, Server],
  requests: readonly BenchRequest[],
  token: string,
  { status, differing = [] }: Pick<Scenario, 'status' | 'differing'>,
): Promise<void> {
  for (const request of requests.slice(0, COMPARED)) {
    const [ours, theirs] = await Promise.all(
      servers.map(async (server) => JSON.parse((await send(server, request, token, status)).body) as unknown),
    );
    if (!isDeepStrictEqual(without(ours, differing), without(theirs, differing)))
      throw new Error(`the responses to ${request.path} differ: ${JSON.stringify(ours)} and ${JSON.stringify(theirs)}`);
  }
}

function without(body: unknown, names: readonly string[]): unknown {
  if (Array.isArray(body)) return body.map((record) => without(record, names));
  return Object.fromEntries(Object.entries(body as object).filter(([name]) => !names.includes(name)));
}

/** Requests for each of the records on a page. */
export async function readEach(service: Server, page: string, token: string, id: string): Promise<BenchRequest[]> {
  const records = JSON.parse((await send(service, { path: page }, token)).body) as Record<string, string>[];
  return records.map((record) => ({ path: `${page.split('?')[0]}/${record[id]}` }));
}

/** Requests for the later pages of a listing, found with the service's `next` links. */
export async function walk(service: Server, firstPage: string, token: string, most = MAX_PAGES): Promise<BenchRequest[]> {
  const pages: BenchRequest[] = [];
  for (let path = firstPage; pages.length < most; path = pages.at(-1)!.path) {
    const { headers } = await send(service, { path }, token);
    const next = /<([^>]+)>; rel=next/.exec(headers.get('link') ?? '')?.[1];
    if (next === undefined) break;
    const { pathname, search } = new URL(next, service.url);
    pages.push({ path: pathname + search });
  }
  if (pages.length === 0) throw new Error(`${firstPage} is the only page of its listing: load more records`);
  return pages;
}
