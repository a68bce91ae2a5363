import { buildIndexes } from '@fibre/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Indexes for the filters of the listing that match many nodes or none, in the order of its pages. Each has the columns of the others beside its own, so
 * that a count by two filters need not look into the table; and `technology` itself, or PostgreSQL would look there for what it compares.
 */
const INDEXES = {
  access_node_token_idx: 'access_node (tenant, collection, token, node_id) include (technology, status)',
  access_node_status_idx: 'access_node (tenant, collection, status, node_id) include (technology, token)',
  access_node_technology_idx:
    'access_node (tenant, collection, lower(technology collate "C"), node_id) include (technology, token, status)',
};

export class ListingFilters1764547200000 implements MigrationInterface {
  /** Indexes that are built while others write cannot be built in a transaction. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await buildIndexes(runner, INDEXES);
    // The planner knows nothing of an expression before; with a guess it may take another way.
    await runner.query(`analyze access_node`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const name of Object.keys(INDEXES)) await runner.query(`drop index ${name}`);
  }
}
