import { createServer } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { preparedName, selectPage, type Statement } from '@fibre/database';
import { Timestamp } from '@fibre/dto';
import pg from 'pg';
import { v7 as uuidv7 } from 'uuid';
import type * as Nodes from '../../../apps/coverage-service/src/access-nodes/access-node.sql.js';
import type * as NodeFilters from '../../../apps/coverage-service/src/access-nodes/access-node-filters.sql.js';
import type * as Search from '../../../apps/coverage-service/src/coverage-search/coverage-search.sql.js';
import type * as SearchArea from '../../../apps/coverage-service/src/geography/search-area.js';
import type * as Attributes from '../../../apps/event-service/src/event-attributes/sys-attributes.js';
import type * as Lists from '../../../apps/event-service/src/event-lists/event-lists.sql.js';
import type * as Writing from '../../../apps/event-service/src/events/event.sql.js';
import type * as Ids from '../../../apps/event-service/src/timeline/event-id.js';
import type * as Cursors from '../../../libs/pagination/src/cursor.js';
import { WORKSPACE } from '../../workspace.js';
import { EVENT_TENANT, NAMESPACE } from '../setup/events.js';
import { LISTED_TENANT } from '../setup/nodes.js';
import { RECORDING_TENANT } from './coverage-suite.js';

/** Whom the tokens of the test issuer name. */
const ACTOR = 'client';

/**
 * A minimal handler: `node:http` and the statements of the built service, without tokens, validation, log or metrics. It is a separate
 * program, started without the `source` condition.
 */

interface BareResponse {
  status: number;
  json: string;
}
/** Handlers keyed by method and path, like `GET /v2/cov/nodes`, or `GET /v2/cov/nodes/*` for paths below it. */
type BareRoutes = Record<string, (url: URL, body: string) => Promise<BareResponse>>;
interface Row {
  json: string;
}

const { BARE_SERVICE, DATABASE_URL, DATABASE_POOL_SIZE, PORT } = process.env;
const pool = new pg.Pool({ connectionString: DATABASE_URL, max: Number(DATABASE_POOL_SIZE), options: '-c timezone=UTC' });
/** The statements are prepared, as in the service. */
const run = async <R extends object = Row>(statement: Statement): Promise<R[]> =>
  (await pool.query<R>({ ...statement, name: preparedName(statement) })).rows;

/** Imports a module of the built service, so that the bare handler always uses the service's statements. */
const built = async <Module>(file: string): Promise<Module> => (await import(join(WORKSPACE, file))) as Module;
const { Cursor } = await built<typeof Cursors>('libs/pagination/dist/cursor.js');

const listOf = (rows: readonly Row[]): BareResponse => ({ status: 200, json: `[${rows.map(({ json }) => json).join()}]` });
const lastSegment = ({ pathname }: URL): string => pathname.slice(pathname.lastIndexOf('/') + 1);
const pageOf = ({ searchParams }: URL): { size: number; from?: string[] } => {
  const cursor = Cursor.parse(searchParams.get('_page_cursor'));
  return { size: Number(searchParams.get('_page_size')), from: cursor && [cursor.from] };
};

async function coverageRoutes(): Promise<BareRoutes> {
  const app = 'apps/coverage-service/dist';
  const { selectNearby } = await built<typeof Search>(`${app}/coverage-search/coverage-search.sql.js`);
  const { originAt } = await built<typeof SearchArea>(`${app}/geography/search-area.js`);
  const { insertNode, selectNode } = await built<typeof Nodes>(`${app}/access-nodes/access-node.sql.js`);
  const { accessNodeListing } = await built<typeof NodeFilters>(`${app}/access-nodes/access-node-filters.sql.js`);
  const listing = accessNodeListing(LISTED_TENANT, { target: 'nodes' });
  return {
    'GET /v2/cov/search': async ({ searchParams }) => {
      const [latitude, longitude] = searchParams.get('center')!.split(',').map(Number);
      const [radius, limit] = ['search_radius', 'limit'].map((name) => Number(searchParams.get(name)));
      return listOf(await run(selectNearby([{ origin: originAt(latitude!, longitude!), radius: radius! }], limit!, {})));
    },
    'GET /v2/cov/nodes': async (url) => listOf(await run(selectPage(listing, pageOf(url)))),
    'GET /v2/cov/nodes/*': async (url) => ({ status: 200, json: (await run(selectNode(LISTED_TENANT, lastSegment(url))))[0]!.json }),
    'POST /v2/cov/nodes': async (_url, body) => {
      const { center, ...given } = JSON.parse(body) as { center: string; relation_id: string; token: 'operation' };
      const [latitude, longitude] = center.split(', ') as [string, string];
      const node = { ...given, latitude, longitude, status: 'active' as const, node_id: uuidv7(), tenant: RECORDING_TENANT };
      return {
        status: 201,
        json: (await run(insertNode({ ...node, collection: 'nodes', created_by: ACTOR, modified_by: ACTOR }, false)))[0]!.json,
      };
    },
  };
}

async function eventRoutes(): Promise<BareRoutes> {
  const app = 'apps/event-service/dist';
  const { readTimeline, appendEvent } = await built<typeof Writing>(`${app}/events/event.sql.js`);
  const { hashSysAttributes } = await built<typeof Attributes>(`${app}/event-attributes/sys-attributes.js`);
  const { eventListing } = await built<typeof Lists>(`${app}/event-lists/event-lists.sql.js`);
  const { shardKeyOf } = await built<typeof Ids>(`${app}/timeline/event-id.js`);
  const owner = { tenant: EVENT_TENANT, namespaceId: NAMESPACE };
  const events = '/api/v2/sys/events';
  return {
    [`GET ${events}`]: async (url) => {
      const listing = eventListing('events', { ...owner, now: new Date(), freshHours: 24 }, {});
      return listOf(await run(selectPage(listing, pageOf(url))));
    },
    [`PUT ${events}`]: async (_url, body) => {
      const event = JSON.parse(body) as Record<'entity_id' | 'event_at' | 'event_timezone' | 'usr_reference', string> & {
        sys_attributes: object;
      };
      const key = { ...owner, entityId: event.entity_id, shardKey: shardKeyOf(event.entity_id) };
      const sysAttributes = JSON.stringify(event.sys_attributes);
      const requested = {
        type: 'activation' as const,
        at: Timestamp.parse(event.event_at)!,
        timezone: event.event_timezone,
        sysAttributes,
        sysHash: hashSysAttributes(sysAttributes),
        actor: ACTOR,
        user: { usr_reference: event.usr_reference, usr_attributes: null, comment: null },
      };
      const found = await run<{ role: string; version: number }>(readTimeline(key, requested));
      const read = { version: found.find(({ role }) => role === 'head')?.version ?? 0, isLast: true };
      return { status: 201, json: (await run(appendEvent(key, read, requested)))[0]!.json };
    },
  };
}

const routes = await (BARE_SERVICE === 'coverage-service' ? coverageRoutes() : eventRoutes());

createServer((request, response) => {
  const url = new URL(request.url!, 'http://localhost');
  const [named, below] = [url.pathname, url.pathname.replace(/[^/]+$/, '*')].map((path) => routes[`${request.method} ${path}`]);
  const route = named ?? below;
  if (route === undefined) return void response.end();
  const answered = request.method === 'GET' ? route(url, '') : text(request).then((body) => route(url, body));
  answered.then(
    ({ status, json }) =>
      response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(json) }).end(json),
    (error: unknown) => response.writeHead(500).end(String(error)),
  );
}).listen(Number(PORT), '127.0.0.1');
