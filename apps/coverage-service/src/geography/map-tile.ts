/** Deepest zoom level of the map. */
export const MAX_ZOOM = 22;
/** Number of bits of x, and of y, in `access_node_map_key`. */
const KEY_BITS = 31;
/** The number of cells along a side of a tile is 2 to the power of this: 16. */
const CELL_BITS = 4;

/** A map tile: column `x` from the west and row `y` from the north in the Web Mercator square, which has 2^z tiles per side. */
export interface MapTile {
  readonly z: number;
  readonly x: number;
  readonly y: number;
}

export function isOnMap({ z, x, y }: MapTile): boolean {
  const isIn = (value: number, end: number): boolean => Number.isInteger(value) && value >= 0 && value < end;
  return isIn(z, MAX_ZOOM + 1) && isIn(x, 2 ** z) && isIn(y, 2 ** z);
}

/**
 * The keys of a tile's nodes: `from` inclusive, `to` exclusive, as text, because they are too large for JavaScript numbers. The keys of the
 * nodes in one cell of the tile differ only in `cellShift` low bits.
 */
export function keysIn({ z, x, y }: MapTile) {
  let number = 0n;
  for (let bit = z - 1; bit >= 0; bit--) number = (number << 2n) | BigInt(((x >> bit) & 1) | (((y >> bit) & 1) << 1));
  const shift = BigInt(2 * (KEY_BITS - z));
  return { from: String(number << shift), to: String((number + 1n) << shift), cellShift: 2 * (KEY_BITS - z - CELL_BITS) };
}

/** Number of cells across the world at this zoom level. */
export const cellsAcross = ({ z }: MapTile): number => 2 ** (z + CELL_BITS);

/**
 * Position within a tile, in whole units; the tile is `extent` units wide and high.
 *
 * @param longitude in degrees @param latitude in degrees
 */
export function placeIn({ z, x, y }: MapTile, longitude: number, latitude: number, extent: number): [x: number, y: number] {
  const across = (longitude + 180) / 360;
  const down = (1 - Math.asinh(Math.tan((latitude * Math.PI) / 180)) / Math.PI) / 2;
  // The database decides which tile a place is in; at the very edge, JavaScript's rounding may disagree.
  const within = (position: number): number => Math.min(extent - 1, Math.max(0, Math.floor(position * extent)));
  return [within((across - Math.floor(across)) * 2 ** z - x), within(down * 2 ** z - y)];
}

/** The number of the cell of a place in a tile, row by row. */
export function cellIn(tile: MapTile, longitude: number, latitude: number): number {
  const [x, y] = placeIn(tile, longitude, latitude, 2 ** CELL_BITS);
  return (y << CELL_BITS) | x;
}
