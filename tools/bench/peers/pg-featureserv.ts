import { join } from 'node:path';
import { freePort } from '@fibre/testing/processes';
import { PAGE_SIZE } from '../walk.js';
import { POOL_SIZE } from '../service.js';
import { boxAround, FIELDS, goInstall, NEAREST_NODES, type Peer, PEERS_DIR, type Row, startProgram } from './peer.js';
import { POSTGIS } from './postgis.js';

const VERSION = 'v1.3.1';
const PROGRAM = join(PEERS_DIR, 'pg_featureserv');
const ITEMS = '/collections/public.access_node/items';
/** Columns of the function, which has to name them and may not have those of the table that PostgreSQL has no JSON for. */
const COLUMNS = FIELDS.split(',').map((name) => `${name} text`);

/** A table with a geometry under an index, and functions, as its documentation has them. It reads alone, and knows no token. */
export const pgFeatureserv: Peer = {
  title: `pg_featureserv ${VERSION}`,
  needs: { [PROGRAM]: goInstall(`github.com/CrunchyData/pg_featureserv@${VERSION}`), ...POSTGIS },
  goals: { search: 1, box: 1, list: 1, read: 1 },
  postgis: true,
  statements: [
    'create extension if not exists postgis',
    `alter table access_node add if not exists geom geometry(point, 4326) not null
     generated always as (st_setsrid(st_makepoint(longitude::float8, latitude::float8), 4326)) stored`,
    'create index if not exists access_node_geom_idx on access_node using gist (geom)',
    'analyze access_node',
    NEAREST_NODES,
    'create schema if not exists postgisftw',
    `create or replace function postgisftw.nearest(latitude float8, longitude float8) returns table (${COLUMNS.join()}, geom geometry)
     language sql stable as $$
       select ${COLUMNS.map((column) => `n.${column.replace(' ', '::')}`).join()}, n.geom from public.nearest_nodes($1, $2) n
     $$`,
  ],
  start: async ({ databaseUrl }) => {
    const url = `http://127.0.0.1:${await freePort()}`;
    const items = (parameters: Record<string, string>): string =>
      `${ITEMS}?${new URLSearchParams({ ...parameters, properties: FIELDS }).toString()}`;
    return {
      url,
      token: '',
      program: await startProgram({
        name: 'pg_featureserv',
        command: PROGRAM,
        args: [],
        cwd: PEERS_DIR,
        env: {
          DATABASE_URL: databaseUrl,
          PGFS_SERVER_HTTPHOST: '127.0.0.1',
          PGFS_SERVER_HTTPPORT: new URL(url).port,
          PGFS_DATABASE_DBPOOLMAXCONNS: POOL_SIZE,
          PGFS_PAGING_LIMITMAX: String(PAGE_SIZE),
        },
        readyUrl: `${url}/index.json`,
      }),
      search: ([latitude, longitude]) => ({ path: `/functions/postgisftw.nearest/items?latitude=${latitude}&longitude=${longitude}` }),
      box: (place, most) => {
        const { west, south, east, north } = boxAround(place);
        return { path: items({ bbox: [west, south, east, north].join(), collection: 'nodes', limit: String(most) }) };
      },
      list: (tenant, from, size) => ({
        path: items({ tenant, collection: 'nodes', filter: `node_id >= '${from}'`, sortby: 'node_id', limit: String(size) }),
      }),
      read: (id) => ({ path: `${ITEMS}/${id}?properties=${FIELDS}` }),
      rows: (body) => {
        const answer = JSON.parse(body) as { features?: { properties: Row }[]; properties: Row };
        return (answer.features ?? [answer]).map(({ properties }) => properties);
      },
    };
  },
};
