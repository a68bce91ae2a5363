import type { TilePlace } from '@fibre/client';
import { VectorTile } from '@mapbox/vector-tile';
import type { Point } from 'geojson';
import maplibre from 'maplibre-gl/dist/maplibre-gl-csp.js';
import type * as gl from 'maplibre-gl';
import { PbfReader } from 'pbf';

/** A tile is divided into this many cells per side. */
const CELLS = 16;
/** Resolution of a tile; in the tile that shows the whole world, a node may be off by 9 km. */
const STEPS = 4096;
/** Tiles end at this latitude. */
const LAST = 85;

/** The numbers of the tile that contains a place. */
function tileAt(z: number, { lng, lat }: gl.LngLat): [x: number, y: number] {
  const { x, y } = maplibre.MercatorCoordinate.fromLngLat({ lng, lat: Math.max(-LAST, Math.min(LAST, lat)) });
  const within = (part: number): number => Math.max(0, Math.min(2 ** z - 1, Math.floor(part * 2 ** z)));
  return [within(x), within(y)];
}

interface Extent {
  readonly bounds: gl.LngLatBounds;
  /** Whether any of the tiles has so many nodes that it shows cells. */
  readonly hasCells: boolean;
}

/** Where the nodes are in these tiles, `undefined` if there are none. @param within is read; if absent, the whole world is */
async function extentIn(
  within: gl.LngLatBounds | undefined,
  z: number,
  read: (tile: TilePlace) => Promise<ArrayBuffer>,
): Promise<Extent | undefined> {
  const area = within ?? new maplibre.LngLatBounds([-180, -LAST, 180, LAST]);
  const [[west, north], [east, south]] = [tileAt(z, area.getNorthWest()), tileAt(z, area.getSouthEast())];
  const tiles: TilePlace[] = [];
  for (let x = west; x <= east; x++) for (let y = north; y <= south; y++) tiles.push({ z, x, y });
  const bounds = new maplibre.LngLatBounds();
  let hasCells = false;
  const add = async (tile: TilePlace): Promise<void> => {
    const layer = new VectorTile(new PbfReader(await read(tile))).layers['nodes'];
    for (let index = 0; index < (layer?.length ?? 0); index++) {
      const { geometry, properties } = layer!.feature(index).toGeoJSON(tile.x, tile.y, tile.z);
      const [x = 0, y = 0] = (geometry as Point).coordinates;
      const isCell = 'count' in properties!;
      hasCells ||= isCell;
      // A node may be anywhere around the point of its cell.
      const around = 360 / 2 ** z / (isCell ? CELLS * 2 : STEPS);
      bounds.extend([x - around, Math.max(-LAST, y - around / 2)]).extend([x + around, Math.min(LAST, y + around / 2)]);
    }
  };
  await Promise.all(tiles.map(add));
  return bounds.isEmpty() ? undefined : { bounds, hasCells };
}

/**
 * How the map shows all nodes. They are looked for in the tile of the whole world and then in those within it.
 *
 * @param cameraFor how the map shows an area
 * @returns nothing if there are no nodes
 */
export async function cameraOfAll(
  cameraFor: (bounds: gl.LngLatBounds) => gl.CenterZoomBearing | undefined,
  read: (tile: TilePlace) => Promise<ArrayBuffer>,
): Promise<{ readonly camera: gl.CenterZoomBearing | undefined; readonly hasCells: boolean } | undefined> {
  let found: Extent | undefined;
  let camera: gl.CenterZoomBearing | undefined;
  // One more level would only show where within their cells the outermost nodes are.
  for (let [z, next] = [-2, 0]; next > z + 1; next = Math.floor(camera?.zoom ?? 0)) {
    z = next;
    found = await extentIn(found?.bounds, z, read);
    if (!found) return undefined;
    camera = cameraFor(found.bounds);
  }
  return found && { camera, hasCells: found.hasCells };
}
