import { join } from 'node:path';
import type * as Search from '../../../apps/coverage-service/src/coverage-search/coverage-search.sql.js';
import type * as SearchArea from '../../../apps/coverage-service/src/coverage-search/search-area.js';
import type * as Listing from '../../../apps/coverage-service/src/access-nodes/access-node.sql.js';
import type * as Cursors from '../../../libs/pagination/src/cursor.js';
import { WORKSPACE } from '../../workspace.js';
import type { BareHandlers } from '../scenario.js';
import { LISTED_TENANT } from './towns.js';

/** The very statements of the built service, so that the two sides cannot drift apart. */
const built = (file: string): Promise<unknown> => import(join(WORKSPACE, file));
const { selectNearby } = (await built('apps/coverage-service/dist/coverage-search/coverage-search.sql.js')) as typeof Search;
const { originAt } = (await built('apps/coverage-service/dist/coverage-search/search-area.js')) as typeof SearchArea;
const { selectPage, countListing, estimateListing } = (await built('apps/coverage-service/dist/access-nodes/access-node.sql.js')) as typeof Listing;
const { decodeCursor } = (await built('libs/pagination/dist/cursor.js')) as typeof Cursors;

const filters = { target: 'nodes' } as const;

const page = async (pool: Parameters<BareHandlers[string]>[0], { searchParams }: URL): Promise<string> => {
  const cursor = searchParams.get('_page_cursor');
  const from = cursor === null ? undefined : decodeCursor(cursor)?.from;
  const { rows } = await pool.query<{ json: string }>(selectPage(LISTED_TENANT, filters, { size: Number(searchParams.get('_page_size')), from }));
  return rows[0]!.json;
};

const handlers: BareHandlers = {
  search: async (pool, { searchParams }) => {
    const [latitude, longitude] = searchParams.get('center')!.split(',').map(Number);
    const statement = selectNearby(originAt(latitude!, longitude!), Number(searchParams.get('search_radius')), Number(searchParams.get('limit')), {});
    const { rows } = await pool.query(statement);
    return JSON.stringify(rows);
  },
  'list-page': page,
  'list-first-page': async (pool, url) => {
    const json = await page(pool, url);
    await pool.query(countListing(LISTED_TENANT, filters));
    await pool.query(estimateListing(LISTED_TENANT, filters));
    return json;
  },
};

export default handlers;
