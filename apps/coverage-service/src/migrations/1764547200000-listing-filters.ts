import { indexMigration } from '@fibre/database';

/**
 * Indexes for the listing's filters that match many nodes or none, sorted like its pages. Each includes the columns of the other
 * filters, so that counting with two filters need not read the table. The index on lower(technology) also includes `technology` itself,
 * because PostgreSQL would otherwise read the table to evaluate the expression.
 */
const INDEXES = {
  access_node_token_idx: 'access_node (tenant, collection, token, node_id) include (technology, status)',
  access_node_status_idx: 'access_node (tenant, collection, status, node_id) include (technology, token)',
  access_node_technology_idx:
    'access_node (tenant, collection, lower(technology collate "C"), node_id) include (technology, token, status)',
};

export const ListingFilters1764547200000 = indexMigration('ListingFilters1764547200000', { build: INDEXES }, { analyzed: 'access_node' });
