import { indexMigration } from '@fibre/database';

const CHANGE = {
  /** Production nodes by the time of their last change: per tenant, for all tenants, and per relation. */
  build: {
    access_node_changes_idx: 'access_node (tenant, collection, modified_at, node_id)',
    access_node_search_changes_idx: `access_node (modified_at, node_id) where collection = 'nodes'`,
    access_node_relation_changes_idx: `access_node (relation_id, modified_at, node_id) where collection = 'nodes'`,
  },
  /** The first index above replaces this one. */
  drop: { access_node_modified_at_idx: 'access_node (tenant, collection, modified_at)' },
};

const DELETIONS = {
  up: [
    `create table if not exists node_deletion (
      tenant      text           not null,
      relation_id uuid           not null,
      node_id     uuid           not null,
      deleted_at  timestamptz(3) not null,
      constraint node_deletion_pkey primary key (deleted_at, node_id)
    )`,
    `create index if not exists node_deletion_tenant_idx on node_deletion (tenant, deleted_at, node_id)`,
  ],
  down: ['drop table node_deletion'],
};

/** The deletions of production nodes, and indexes for the change feeds. */
export const NodeChanges1764806400000 = indexMigration('NodeChanges1764806400000', CHANGE, { first: DELETIONS });
