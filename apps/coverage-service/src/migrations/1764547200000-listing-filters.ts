import { buildIndexes } from '@fibre/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Indexes for filters of the listing that match many nodes or none, in the order of its pages. Each includes the columns of the others, so
 * that counting with two filters need not read the table, and `technology` itself, because PostgreSQL would read the table for the expression.
 */
const INDEXES = {
  access_node_token_idx: 'access_node (tenant, collection, token, node_id) include (technology, status)',
  access_node_status_idx: 'access_node (tenant, collection, status, node_id) include (technology, token)',
  access_node_technology_idx:
    'access_node (tenant, collection, lower(technology collate "C"), node_id) include (technology, token, status)',
};

export class ListingFilters1764547200000 implements MigrationInterface {
  /** Indexes that are built without blocking writes cannot be built in a transaction. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await buildIndexes(runner, INDEXES);
    // The planner has no statistics of a new expression and might choose another plan.
    await runner.query(`analyze access_node`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const name of Object.keys(INDEXES)) await runner.query(`drop index ${name}`);
  }
}
