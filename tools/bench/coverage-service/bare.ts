import type pg from 'pg';
import { v7 as uuidv7 } from 'uuid';
import type * as Search from '../../../apps/coverage-service/src/coverage-search/coverage-search.sql.js';
import type * as SearchArea from '../../../apps/coverage-service/src/geography/search-area.js';
import type * as Nodes from '../../../apps/coverage-service/src/access-nodes/access-node.sql.js';
import type * as Pages from '../../../libs/database/src/pages/page.sql.js';
import type * as Cursors from '../../../libs/pagination/src/cursor.js';
import type { BareAnswer, BareRoutes } from '../bare-server.js';
import { built } from '../built.js';
import type { NewNode } from './new-node.js';
import { LISTED_TENANT, RECORDING_TENANT } from './towns.js';

const { selectNearby } = await built<typeof Search>('apps/coverage-service/dist/coverage-search/coverage-search.sql.js');
const { originAt } = await built<typeof SearchArea>('apps/coverage-service/dist/geography/search-area.js');
const { accessNodeListing, insertNode, selectNode } = await built<typeof Nodes>(
  'apps/coverage-service/dist/access-nodes/access-node.sql.js',
);
const { selectPage, countListing, estimateListing, MAX_EXACT_TOTAL } = await built<typeof Pages>('libs/database/dist/pages/page.sql.js');
const { Cursor } = await built<typeof Cursors>('libs/pagination/dist/cursor.js');

const listing = accessNodeListing(LISTED_TENANT, { target: 'nodes' });

async function search(pool: pg.Pool, { searchParams }: URL): Promise<BareAnswer> {
  const [latitude, longitude] = searchParams.get('center')!.split(',').map(Number);
  const statement = selectNearby(
    originAt(latitude!, longitude!),
    Number(searchParams.get('search_radius')),
    Number(searchParams.get('limit')),
    {},
  );
  const { rows } = await pool.query<{ json: string }>(statement);
  return { status: 200, json: `[${rows.map(({ json }) => json).join(',')}]` };
}

async function read(pool: pg.Pool, { pathname }: URL): Promise<BareAnswer> {
  const { rows } = await pool.query<{ json: string }>(selectNode(LISTED_TENANT, pathname.slice(pathname.lastIndexOf('/') + 1)));
  return { status: 200, json: rows[0]!.json };
}

async function insert(pool: pg.Pool, _url: URL, text: string): Promise<BareAnswer> {
  const { center, ...given } = JSON.parse(text) as NewNode;
  const [latitude, longitude] = center.split(', ') as [string, string];
  const node = { ...given, latitude, longitude, status: 'active' as const, node_id: uuidv7(), tenant: RECORDING_TENANT };
  const { rows } = await pool.query<{ json: string }>(insertNode({ ...node, collection: 'nodes' }));
  return { status: 201, json: rows[0]!.json };
}

async function page(pool: pg.Pool, { searchParams }: URL): Promise<BareAnswer> {
  const cursor = searchParams.get('_page_cursor');
  const from = Cursor.parse(cursor)?.from;
  const { rows } = await pool.query<{ json: string }>(selectPage(listing, { size: Number(searchParams.get('_page_size')), from }));
  if (cursor === null) {
    await pool.query(countListing(listing, MAX_EXACT_TOTAL));
    await pool.query(estimateListing(listing));
  }
  return { status: 200, json: `[${rows.map(({ json }) => json).join(',')}]` };
}

const routes: BareRoutes = {
  'GET /v2/cov/search': search,
  'GET /v2/cov/nodes': page,
  'GET /v2/cov/nodes/*': read,
  'POST /v2/cov/nodes': insert,
};
export default routes;
