import { mkdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { WORKSPACE } from '../workspace.js';
import type { BenchRequest } from './setup/load.js';
import { PAGE_SIZE } from './suites/scenario.js';
import { BENCH_DIR, POOL_SIZE, type Server, startServer } from './setup/service.js';

/** Where the programs are installed. */
export const PEERS_DIR = join(BENCH_DIR, 'peers');
const FROM_HERE = relative(WORKSPACE, PEERS_DIR);
/** Fields that the service returns; the peers return no more. */
const FIELDS =
  'node_id,relation_id,collection,token,latitude,longitude,status,technology,customer_reference,country,address_id,lot_id,tenant,created_at,modified_at';
/** Number of nodes and radius of a search. */
export const FOUND = 5;
export const RADIUS = 100;
/** Clients of every kind of work except the page, which has half as many. */
export const CONNECTIONS = 16;

export type Work = 'search' | 'box' | 'list' | 'read' | 'insert';
export type Row = Record<string, string | number | null>;
export type Place = [latitude: string, longitude: string];

/** A peer, and its requests for each kind of work; absent if it does not support it. */
export interface RunningPeer extends Server {
  /** Empty if it checks none. */
  token: string;
  /** Its status for a tampered token. */
  refusal?: number;
  /** The nearest nodes. */
  search?: (place: Place) => BenchRequest;
  /** Any nodes of the box around the circle. */
  box?: (place: Place, most: number) => BenchRequest;
  /** The nodes of a node's tenant in the order of their ids, starting with that node. */
  list: (from: Row, size: number) => BenchRequest;
  read: (id: string) => BenchRequest;
  insert?: (node: Row) => BenchRequest;
  /** Status of an insertion. */
  inserted?: number;
  rows: (body: string) => Row[];
}

export interface Peer {
  title: string;
  /** Files that it needs, with the command that installs each. */
  needs: readonly { file: string; install: string }[];
  /** A required extension of the database server. */
  extension?: string;
  /** Lowest allowed ratio of requests per second, service to peer. */
  goals: Partial<Record<Work, number>>;
  /** Prepares the service's database for the peer. */
  statements: readonly string[];
  start: (site: { databaseUrl: string; issuer: string; token: string }) => Promise<RunningPeer>;
}

const goProgram = (name: string, source: string): Peer['needs'] => [
  { file: join(PEERS_DIR, name), install: `GOBIN=$PWD/${FROM_HERE} go install ${source}` },
];

/** Degrees of latitude that are at least the radius everywhere. */
const HEIGHT = RADIUS / 110_500;

/** A box in degrees that contains the circle. */
function boxAround(place: Place): { south: number; north: number; west: number; east: number } {
  const [latitude, longitude] = place.map(Number) as [number, number];
  const width = HEIGHT / Math.cos((latitude * Math.PI) / 180);
  return { south: latitude - HEIGHT, north: latitude + HEIGHT, west: longitude - width, east: longitude + width };
}

const SQUARED = '(n.x - p.x) ^ 2 + (n.y - p.y) ^ 2 + (n.z - p.z) ^ 2';
/** The nearest nodes as a database function, with the index and the distance of the service: $1 latitude, $2 longitude. */
const NEAREST_NODES = `
  create or replace function nearest_nodes(latitude float8, longitude float8) returns setof access_node language sql stable as $$
    select n.*
    from (select 6378137.0 / sqrt(1 - 0.0066943799901413165 * sind($1) * sind($1)) as normal) as o
    cross join lateral (
      select normal * cosd($1) * cosd($2) as x, normal * cosd($1) * sind($2) as y, normal * (1 - 0.0066943799901413165) * sind($1) as z
    ) as p
    join access_node n on n.position <@ box(point($2 - ${HEIGHT} / cosd($1), $1 - ${HEIGHT}), point($2 + ${HEIGHT} / cosd($1), $1 + ${HEIGHT}))
    where n.collection = 'nodes' and ${SQUARED} <= ${RADIUS} ^ 2
    order by ${SQUARED}, n.node_id
    limit ${FOUND}
  $$`;

/** Verifies the token of each request with the issuer's key set, keeps connections and prepared statements, caches no response. */
const prest: Peer = {
  title: 'pREST v2.4.2',
  needs: goProgram('prestd', 'github.com/prest/prest/v2/cmd/prestd@v2.4.2'),
  goals: { search: 1, list: 0.8, read: 1, insert: 1 },
  statements: [NEAREST_NODES, 'alter table access_node alter node_id set default uuidv7()'],
  start: async ({ databaseUrl, issuer, token }) => {
    // Queries that its filters cannot express are SQL files with bound values.
    const queries = join(PEERS_DIR, 'prest-queries');
    mkdirSync(join(queries, 'bench'), { recursive: true });
    writeFileSync(
      join(queries, 'bench/nearest.read.sql'),
      `select ${FIELDS} from nearest_nodes({{sqlVal "latitude"}}::float8, {{sqlVal "longitude"}}::float8)`,
    );
    const table = `${new URL(databaseUrl).pathname}/public/access_node`;
    const server = await startServer({
      name: 'prest',
      command: join(PEERS_DIR, 'prestd'),
      args: [],
      cwd: queries,
      portVariable: 'PREST_HTTP_PORT',
      readyPath: '/_health',
      headers: { authorization: `Bearer ${token}` },
      env: {
        DATABASE_URL: databaseUrl,
        PREST_HTTP_HOST: '127.0.0.1',
        PREST_LOG_LEVEL: 'warn',
        PREST_PG_MAXOPENCONN: POOL_SIZE,
        PREST_PG_MAXIDLECONN: POOL_SIZE,
        PREST_JSON_AGG_TYPE: 'json_agg',
        PREST_JWT_DEFAULT: 'true',
        PREST_JWT_ALGO: 'RS256',
        PREST_JWT_WELLKNOWNURL: `${issuer}/.well-known/openid-configuration`,
        PREST_QUERIES_LOCATION: queries,
        PREST_STUDIO_ENABLED: 'false',
      },
    });
    return {
      ...server,
      token,
      refusal: 401,
      inserted: 201,
      search: ([latitude, longitude]) => ({ path: `/_QUERIES/bench/nearest?latitude=${latitude}&longitude=${longitude}` }),
      list: ({ tenant, node_id }, size) => ({
        path: `${table}?_select=${FIELDS}&tenant=$eq.${tenant}&collection=$eq.nodes&node_id=$gte.${node_id}&_order=node_id&_page=1&_page_size=${size}`,
      }),
      read: (id) => ({ path: `${table}?_select=${FIELDS}&node_id=$eq.${id}` }),
      insert: (node) => ({ path: table, method: 'POST', body: JSON.stringify(node) }),
      rows: (body) => JSON.parse(body) as Row[],
    };
  },
};

const NAMES = FIELDS.split(',');
/** A function in the schema that pg_featureserv publishes. */
const published = (signature: string, rows: string): string => `
  create or replace function postgisftw.${signature} returns table (${NAMES.map((name) => `${name} text`).join()}, geom geometry)
  language sql stable as $$ select ${NAMES.map((name) => `n.${name}::text`).join()}, n.geom from ${rows} $$`;

/** A table with an indexed geometry, and functions, as in its documentation. It only reads and checks no token. */
const pgFeatureserv: Peer = {
  title: 'pg_featureserv v1.3.1',
  needs: goProgram('pg_featureserv', 'github.com/CrunchyData/pg_featureserv@v1.3.1'),
  goals: { search: 1, box: 1, list: 1, read: 0.6 },
  extension: 'postgis',
  statements: [
    'create extension if not exists postgis',
    `alter table access_node add if not exists geom geometry(point, 4326) not null
     generated always as (st_setsrid(st_makepoint(longitude::float8, latitude::float8), 4326)) stored`,
    'create index if not exists access_node_geom_idx on access_node using gist (geom)',
    // Adding the column has rewritten the table.
    'vacuum (analyze) access_node',
    NEAREST_NODES,
    'create schema if not exists postgisftw',
    published('nearest(latitude float8, longitude float8)', 'public.nearest_nodes($1, $2) n'),
    // It would sort the items of a table by the text of their ids, which has no index.
    published(
      'page(owner text, first uuid, most int)',
      `public.access_node n where n.tenant = $1 and n.collection = 'nodes' and n.node_id >= $2 order by n.node_id limit $3`,
    ),
  ],
  start: async ({ databaseUrl }) => {
    const items = '/collections/public.access_node/items';
    const server = await startServer({
      name: 'pg_featureserv',
      command: join(PEERS_DIR, 'pg_featureserv'),
      args: [],
      cwd: PEERS_DIR,
      portVariable: 'PGFS_SERVER_HTTPPORT',
      readyPath: '/index.json',
      env: {
        DATABASE_URL: databaseUrl,
        PGFS_SERVER_HTTPHOST: '127.0.0.1',
        // With fewer it stops responding after a client that waited for one has left.
        PGFS_DATABASE_DBPOOLMAXCONNS: String(CONNECTIONS),
        PGFS_PAGING_LIMITMAX: String(PAGE_SIZE),
      },
    });
    return {
      ...server,
      token: '',
      search: ([latitude, longitude]) => ({ path: `/functions/postgisftw.nearest/items?latitude=${latitude}&longitude=${longitude}` }),
      box: (place, most) => {
        const { west, south, east, north } = boxAround(place);
        return { path: `${items}?bbox=${[west, south, east, north].join()}&collection=nodes&limit=${most}&properties=${FIELDS}` };
      },
      list: ({ tenant, node_id }, size) => ({
        path: `/functions/postgisftw.page/items?owner=${tenant}&first=${node_id}&most=${size}&limit=${size}`,
      }),
      read: (id) => ({ path: `${items}/${id}?properties=${FIELDS}` }),
      rows: (body) => {
        const answer = JSON.parse(body) as { features?: { properties: Row }[]; properties: Row };
        return (answer.features ?? [answer]).map(({ properties }) => properties);
      },
    };
  },
};

export const PEERS: Readonly<Record<string, Peer>> = { prest, pg_featureserv: pgFeatureserv };
