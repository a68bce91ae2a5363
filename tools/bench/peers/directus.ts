import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '@fibre/testing/processes';
import { POOL_SIZE } from '../service.js';
import { boxAround, FIELDS, npmInstall, type Peer, PEERS_DIR, type Row, startProgram } from './peer.js';

const VERSION = '12.4.0';
/** Of its image. A part of it cannot be built for Node.js 24. */
const NODE = '22.23.3';
const PROGRAM = join(PEERS_DIR, 'node_modules/directus/cli.js');
const RUNTIME = join(PEERS_DIR, 'node_modules/node/bin/node');
const INSTALL = `npx -p node@${NODE} ${npmInstall(`directus@${VERSION} node@${NODE}`)}`;
const PASSWORD = 'bench-bench-bench';
const login = (email: string): { email: string; password: string } => ({ email, password: PASSWORD });
const [ADMIN, USER] = [login('admin@example.com'), login('user@example.com')];

/**
 * As for production: one process, as its image has, small log, no cache of data, since rows have to be true, and no account of who did what. Its
 * user has a token of its own signature, and a policy that lets them read and create nodes.
 */
export const directus: Peer = {
  title: `Directus ${VERSION} on Node.js ${NODE}`,
  needs: { [PROGRAM]: INSTALL, [RUNTIME]: INSTALL },
  goals: { box: 7, list: 5, read: 15, insert: 12 },
  statements: [
    'alter table access_node alter node_id set default uuidv7()',
    // It has numbers to look for, and no point.
    'create index if not exists access_node_degrees_idx on access_node (latitude, longitude)',
    `do $$ declare name text; begin
       for name in select tablename from pg_tables where tablename like 'directus\\_%' loop execute format('drop table %I cascade', name); end loop;
     end $$`,
  ],
  start: async ({ databaseUrl }) => {
    const url = `http://127.0.0.1:${await freePort()}`;
    const env = {
      PATH: process.env.PATH,
      NODE_ENV: 'production',
      HOST: '127.0.0.1',
      PORT: new URL(url).port,
      PUBLIC_URL: url,
      DB_CLIENT: 'pg',
      DB_CONNECTION_STRING: databaseUrl,
      DB_POOL__MAX: POOL_SIZE,
      SECRET: 'bench-bench-bench-bench-bench-bench',
      ADMIN_EMAIL: ADMIN.email,
      ADMIN_PASSWORD: ADMIN.password,
      ACCESS_TOKEN_TTL: '6h',
      LOG_LEVEL: 'warn',
      CACHE_ENABLED: 'false',
      // It would refuse requests rather than let them wait.
      PRESSURE_LIMITER_ENABLED: 'false',
      TELEMETRY: 'false',
    };
    await promisify(execFile)(RUNTIME, [PROGRAM, 'bootstrap'], { cwd: PEERS_DIR, env });
    const program = await startProgram({
      name: 'directus',
      command: RUNTIME,
      args: [PROGRAM, 'start'],
      cwd: PEERS_DIR,
      env,
      readyUrl: `${url}/server/ping`,
    });
    const items = '/items/access_node';
    const query = (filter: object, rest: Record<string, string>): string =>
      `${items}?${new URLSearchParams({ filter: JSON.stringify(filter), fields: FIELDS, ...rest }).toString()}`;
    return {
      url,
      token: await authorize(url),
      program,
      box: (place, most) => {
        const { south, north, west, east } = boxAround(place);
        const filter = { collection: { _eq: 'nodes' }, latitude: { _between: [south, north] }, longitude: { _between: [west, east] } };
        return { path: query(filter, { limit: String(most) }) };
      },
      // It does not compare ids; these times have the same order, and an index.
      list: ({ tenant, modified_at }, size) => ({
        path: query(
          { tenant: { _eq: tenant }, collection: { _eq: 'nodes' }, modified_at: { _gte: modified_at } },
          { sort: 'modified_at', limit: String(size) },
        ),
      }),
      read: (id) => ({ path: `${items}/${id}?fields=${FIELDS}` }),
      insert: (node) => ({ path: `${items}?fields=${FIELDS}`, method: 'POST', body: JSON.stringify(node) }),
      refusal: 403,
      inserted: 200,
      rows: (body) => [(JSON.parse(body) as { data: Row | Row[] }).data].flat(),
    };
  },
};

/** @returns an access token of a user who may read and create nodes */
async function authorize(url: string): Promise<string> {
  const call = async <Data>(token: string, method: string, path: string, body: object): Promise<Data> => {
    const headers = { 'content-type': 'application/json', ...(token === '' ? {} : { authorization: `Bearer ${token}` }) };
    const response = await fetch(url + path, { method, headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`Directus answers ${method} ${path} with ${response.status}: ${await response.text()}`);
    return ((await response.json()) as { data: Data }).data;
  };
  const tokenOf = async (user: typeof USER): Promise<string> =>
    (await call<{ access_token: string }>('', 'POST', '/auth/login', user)).access_token;
  const admin = await tokenOf(ADMIN);
  const create = async (path: string, body: object): Promise<string> => (await call<{ id: string }>(admin, 'POST', path, body)).id;
  await call(admin, 'PATCH', '/collections/access_node', { meta: { accountability: null } });
  const policy = await create('/policies', { name: 'Nodes' });
  for (const action of ['read', 'create'])
    await create('/permissions', { policy, collection: 'access_node', action, fields: ['*'], permissions: {} });
  const role = await create('/roles', { name: 'Nodes', policies: { create: [{ policy }] } });
  await create('/users', { ...USER, role });
  return tokenOf(USER);
}
