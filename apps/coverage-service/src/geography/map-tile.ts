/** Deepest zoom level of the map. */
export const MAX_ZOOM = 22;
/** Bits of x and of y in `access_node_map_key`. */
const KEY_BITS = 31;
/** A tile is merged into as many cells a side as these bits count: 32. */
const CELL_BITS = 5;

/** A tile of the map: column `x` from the west and row `y` from the north of the square that Web Mercator makes of the world, 2^z a side. */
export interface MapTile {
  readonly z: number;
  readonly x: number;
  readonly y: number;
}

/** Where the nodes of a tile stand in an index of their keys; whole numbers beyond those of JavaScript. */
export interface KeyRange {
  /** Inclusive. */
  readonly from: string;
  /** Exclusive. */
  readonly to: string;
  /** The nodes of one cell of the tile have the same key but for so many last bits. */
  readonly cellShift: number;
}

export function isOnMap({ z, x, y }: MapTile): boolean {
  const isIn = (value: number, end: number): boolean => Number.isInteger(value) && value >= 0 && value < end;
  return isIn(z, MAX_ZOOM + 1) && isIn(x, 2 ** z) && isIn(y, 2 ** z);
}

export function keysIn({ z, x, y }: MapTile): KeyRange {
  let number = 0n;
  for (let bit = z - 1; bit >= 0; bit--) number = (number << 2n) | BigInt(((x >> bit) & 1) | (((y >> bit) & 1) << 1));
  const shift = BigInt(2 * (KEY_BITS - z));
  return { from: String(number << shift), to: String((number + 1n) << shift), cellShift: 2 * (KEY_BITS - z - CELL_BITS) };
}

/** How many cells the world has a side where the tile is merged into cells. */
export const cellsAcross = ({ z }: MapTile): number => 2 ** (z + CELL_BITS);

/**
 * Where in a tile a place is, in whole units of which the tile has `extent` a side.
 *
 * @param longitude degrees @param latitude degrees
 */
export function placeIn({ z, x, y }: MapTile, longitude: number, latitude: number, extent: number): [x: number, y: number] {
  const across = (longitude + 180) / 360;
  const down = (1 - Math.asinh(Math.tan((latitude * Math.PI) / 180)) / Math.PI) / 2;
  // The database decides which tile it is in; at the very edge our sines may see it in the next one.
  const within = (position: number): number => Math.min(extent - 1, Math.max(0, Math.floor(position * extent)));
  return [within((across - Math.floor(across)) * 2 ** z - x), within(down * 2 ** z - y)];
}
