import { indexMigration } from '@fibre/database';

/** Tells a search in one step that no tenant offers a technology. */
const INDEXES = { access_node_search_technology_idx: `access_node (lower(technology collate "C")) where collection = 'nodes'` };

export const SearchTechnology1765324800000 = indexMigration('SearchTechnology1765324800000', { build: INDEXES });
