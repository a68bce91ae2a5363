import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '@fibre/testing/processes';
import { POOL_SIZE } from '../service.js';
import { FIELDS, goInstall, NEAREST_NODES, type Peer, PEERS_DIR, type Row, startProgram } from './peer.js';

const VERSION = 'v2.4.2';
const PROGRAM = join(PEERS_DIR, 'prestd');
const QUERIES = join(PEERS_DIR, 'prest-queries');
/** Its way to say what its filters cannot: a file of SQL with bound values. */
const SEARCH = `select ${FIELDS} from nearest_nodes({{sqlVal "latitude"}}::float8, {{sqlVal "longitude"}}::float8)`;

/** Verifies the token of each request by the key set of the issuer, keeps its connections and prepared statements, caches no answer. */
export const prest: Peer = {
  title: `pREST ${VERSION}`,
  needs: { [PROGRAM]: goInstall(`github.com/prest/prest/v2/cmd/prestd@${VERSION}`) },
  goals: { search: 1, list: 1, read: 1, insert: 1 },
  statements: [NEAREST_NODES, 'alter table access_node alter node_id set default uuidv7()'],
  start: async ({ databaseUrl, issuer, token }) => {
    mkdirSync(join(QUERIES, 'bench'), { recursive: true });
    writeFileSync(join(QUERIES, 'bench/nearest.read.sql'), SEARCH);
    const url = `http://127.0.0.1:${await freePort()}`;
    const table = `${new URL(databaseUrl).pathname}/public/access_node`;
    return {
      url,
      token,
      program: await startProgram({
        name: 'prest',
        command: PROGRAM,
        args: [],
        cwd: QUERIES,
        env: {
          DATABASE_URL: databaseUrl,
          PREST_HTTP_HOST: '127.0.0.1',
          PREST_HTTP_PORT: new URL(url).port,
          PREST_LOG_LEVEL: 'warn',
          PREST_PG_MAXOPENCONN: POOL_SIZE,
          PREST_PG_MAXIDLECONN: POOL_SIZE,
          PREST_JSON_AGG_TYPE: 'json_agg',
          PREST_JWT_DEFAULT: 'true',
          PREST_JWT_ALGO: 'RS256',
          PREST_JWT_WELLKNOWNURL: `${issuer}/.well-known/openid-configuration`,
          PREST_QUERIES_LOCATION: QUERIES,
          PREST_STUDIO_ENABLED: 'false',
        },
        readyUrl: `${url}/_health`,
        headers: { authorization: `Bearer ${token}` },
      }),
      search: ([latitude, longitude]) => ({ path: `/_QUERIES/bench/nearest?latitude=${latitude}&longitude=${longitude}` }),
      list: ({ tenant, node_id }, size) => ({
        path: `${table}?_select=${FIELDS}&tenant=$eq.${tenant}&collection=$eq.nodes&node_id=$gte.${node_id}&_order=node_id&_page=1&_page_size=${size}`,
      }),
      read: (id) => ({ path: `${table}?_select=${FIELDS}&node_id=$eq.${id}` }),
      insert: (node) => ({ path: table, method: 'POST', body: JSON.stringify(node) }),
      refusal: 401,
      inserted: 201,
      rows: (body) => JSON.parse(body) as Row[],
    };
  },
};
