import { buildIndexes } from '@fibre/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** One node in this many is in a separate index. */
const SAMPLES = [32, 256, 2_048];
const indexes = (name: string, included: string): Record<string, string> => {
  const definition = `access_node (tenant, collection, access_node_map_key(position)) include (${included})`;
  const sampled = SAMPLES.map((share): [string, string] => [
    `${name}_${share}_idx`,
    `${definition} where uuid_hash(node_id) & ${share - 1} = 0`,
  ]);
  return { [`${name}_idx`]: definition, ...Object.fromEntries(sampled) };
};
const [BEFORE, AFTER] = [indexes('access_node_map', 'position'), indexes('access_node_stages', 'position, token')];

/**
 * The indexes of the map with the stage of each node. Cells count the nodes of each stage; without the stage in the index, PostgreSQL
 * reads the table for each node, and a tile takes ten times as long.
 */
export class MapStages1765065600000 implements MigrationInterface {
  /** Indexes cannot be built concurrently in a transaction. */
  readonly transaction = false;

  up(runner: QueryRunner): Promise<void> {
    return replace(runner, BEFORE, AFTER);
  }

  down(runner: QueryRunner): Promise<void> {
    return replace(runner, AFTER, BEFORE);
  }
}

async function replace(runner: QueryRunner, before: Record<string, string>, after: Record<string, string>): Promise<void> {
  await buildIndexes(runner, after);
  for (const name of Object.keys(before)) await runner.query(`drop index concurrently if exists ${name}`);
  // Without statistics of the expression the planner may choose another plan.
  await runner.query(`analyze access_node`);
}
