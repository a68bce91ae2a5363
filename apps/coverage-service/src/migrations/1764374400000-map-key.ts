import { indexMigration, type Indexes } from '@fibre/database';

/** Sampling rates: one node in this many is in a separate index. */
const SAMPLES = [32, 256, 2_048];

/**
 * An index of all nodes, and one of each sample.
 *
 * @param included columns to include; without `position`, PostgreSQL would read the table to evaluate the expression
 */
export function mapIndexes(name: string, included: string): Indexes {
  const definition = `access_node (tenant, collection, access_node_map_key(position)) include (${included})`;
  const sampled = SAMPLES.map((share) => [`${name}_${share}_idx`, `${definition} where uuid_hash(node_id) & ${share - 1} = 0`] as const);
  return { [`${name}_idx`]: definition, ...Object.fromEntries(sampled) };
}

const CREATE_MAP_KEY = `
  create or replace function access_node_map_key(place point) returns bigint
  language plpgsql immutable strict parallel safe as $$
  declare
    -- Longitude 180 counts as -180.
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
  end $$`;

/**
 * Indexes for the map. A node's key interleaves the bits of its position in the Web Mercator square (31 each of x and y), so that the nodes
 * of any tile, and of any quarter of it, are next to each other in an index. Nodes outside the projection have no key.
 * See docs/adr/0015-map-tiles.md.
 */
export const MapKey1764374400000 = indexMigration(
  'MapKey1764374400000',
  { build: mapIndexes('access_node_map', 'position') },
  { first: { up: [CREATE_MAP_KEY], down: ['drop function access_node_map_key'] }, analyzed: 'access_node' },
);
