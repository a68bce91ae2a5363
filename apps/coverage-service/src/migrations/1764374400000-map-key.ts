import type { MigrationInterface, QueryRunner } from 'typeorm';

/** One node in so many is in an index of its own. */
const SAMPLES = [32, 256, 2_048];
const INDEXES = [
  { name: 'access_node_map_idx', where: '' },
  ...SAMPLES.map((share) => ({ name: `access_node_map_${share}_idx`, where: `where uuid_hash(node_id) & ${share - 1} = 0` })),
];

/**
 * Indexes for the map. A node's key interleaves the bits of its place in the square of the Web Mercator projection (31 each of x and y), so that
 * the nodes of any tile, and of any quarter of it, stand side by side in an index. Nodes beyond the projection have none.
 * See docs/adr/0015-map-tiles.md.
 */
export class MapKey1764374400000 implements MigrationInterface {
  /** Indexes that are built while others write cannot be built in a transaction. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create or replace function access_node_map_key(place point) returns bigint
      language plpgsql immutable strict parallel safe as $$
      declare
        -- Longitude 180 is -180.
        across constant double precision := (place[0] + 180) / 360 - floor((place[0] + 180) / 360);
        down constant double precision := (1 - asinh(tand(place[1])) / pi()) / 2;
        x bigint;
        y bigint;
      begin
        if not (down >= 0 and down < 1) then return null; end if;
        x := floor(across * 2147483648);
        y := floor(down * 2147483648);
        x := (x | (x << 16)) & 281470681808895;
        x := (x | (x << 8)) & 71777214294589695;
        x := (x | (x << 4)) & 1085102592571150095;
        x := (x | (x << 2)) & 3689348814741910323;
        x := (x | (x << 1)) & 6148914691236517205;
        y := (y | (y << 16)) & 281470681808895;
        y := (y | (y << 8)) & 71777214294589695;
        y := (y | (y << 4)) & 1085102592571150095;
        y := (y | (y << 2)) & 3689348814741910323;
        y := (y | (y << 1)) & 6148914691236517205;
        return x | (y << 1);
      end $$`);
    // It waits for every transaction that is open, and holds nobody up meanwhile.
    await runner.query(`set lock_timeout = 0`);
    for (const { name, where } of INDEXES) {
      // Left behind, invalid, by an attempt that was interrupted.
      await runner.query(`drop index concurrently if exists ${name}`);
      // With the place beside the key, or PostgreSQL would look into the table for what the key is made of.
      await runner.query(
        `create index concurrently ${name} on access_node (tenant, collection, access_node_map_key(position)) include (position) ${where}`,
      );
    }
    await runner.query(`reset lock_timeout`);
    // The planner knows nothing of an expression before; with a guess it may take another way.
    await runner.query(`analyze access_node`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const { name } of INDEXES) await runner.query(`drop index ${name}`);
    await runner.query(`drop function access_node_map_key`);
  }
}
