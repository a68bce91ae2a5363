import { join } from 'node:path';
import { freePort } from '@fibre/testing/processes';
import { PAGE_SIZE } from '../walk.js';
import { boxAround, CONNECTIONS, FIELDS, goInstall, NEAREST_NODES, type Peer, PEERS_DIR, type Row, startProgram } from './peer.js';
import { POSTGIS } from './postgis.js';

const VERSION = 'v1.3.1';
const PROGRAM = join(PEERS_DIR, 'pg_featureserv');
const ITEMS = '/collections/public.access_node/items';
const NAMES = FIELDS.split(',');
/** A function of the schema that it publishes. It sorts the items of a table, but by the text of their ids, of which there is no index. */
const published = (signature: string, rows: string): string => `
  create or replace function postgisftw.${signature} returns table (${NAMES.map((name) => `${name} text`).join()}, geom geometry)
  language sql stable as $$ select ${NAMES.map((name) => `n.${name}::text`).join()}, n.geom from ${rows} $$`;

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
    // The new column has made the table anew.
    'vacuum (analyze) access_node',
    NEAREST_NODES,
    'create schema if not exists postgisftw',
    published('nearest(latitude float8, longitude float8)', 'public.nearest_nodes($1, $2) n'),
    published(
      'page(owner text, first uuid, most int)',
      `public.access_node n where n.tenant = $1 and n.collection = 'nodes' and n.node_id >= $2 order by n.node_id limit $3`,
    ),
  ],
  start: async ({ databaseUrl }) => {
    const url = `http://127.0.0.1:${await freePort()}`;
    return {
      url,
      program: await startProgram({
        name: 'pg_featureserv',
        command: PROGRAM,
        args: [],
        cwd: PEERS_DIR,
        env: {
          DATABASE_URL: databaseUrl,
          PGFS_SERVER_HTTPHOST: '127.0.0.1',
          PGFS_SERVER_HTTPPORT: new URL(url).port,
          // It answers nobody any more once a client has left that waited for one of them.
          PGFS_DATABASE_DBPOOLMAXCONNS: String(CONNECTIONS),
          PGFS_PAGING_LIMITMAX: String(PAGE_SIZE),
        },
        readyUrl: `${url}/index.json`,
      }),
      search: ([latitude, longitude]) => ({ path: `/functions/postgisftw.nearest/items?latitude=${latitude}&longitude=${longitude}` }),
      box: (place, most) => {
        const { west, south, east, north } = boxAround(place);
        return { path: `${ITEMS}?bbox=${[west, south, east, north].join()}&collection=nodes&limit=${most}&properties=${FIELDS}` };
      },
      list: ({ tenant, node_id }, size) => ({
        path: `/functions/postgisftw.page/items?owner=${tenant}&first=${node_id}&most=${size}&limit=${size}`,
      }),
      read: (id) => ({ path: `${ITEMS}/${id}?properties=${FIELDS}` }),
      rows: (body) => {
        const answer = JSON.parse(body) as { features?: { properties: Row }[]; properties: Row };
        return (answer.features ?? [answer]).map(({ properties }) => properties);
      },
    };
  },
};
