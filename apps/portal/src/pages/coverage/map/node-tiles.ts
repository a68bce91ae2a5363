import type { TilePlace } from '@fibre/client';
import maplibre from 'maplibre-gl/dist/maplibre-gl-csp.js';

const PROTOCOL = 'coverage';

/** The tiles of the nodes, which the map reads with the person's token. */
export class NodeTiles {
  /** What MapLibre is told to load. */
  readonly url = `${PROTOCOL}://tiles/{z}/{x}/{y}`;
  private reloads = 0;
  private isRemoved = false;
  /** Why the last one failed: MapLibre's worker does not pass on the details of an error. */
  failure: unknown;

  constructor(private readonly readTile: (tile: TilePlace, signal: AbortSignal) => Promise<ArrayBuffer>) {
    maplibre.addProtocol(PROTOCOL, async ({ url }, { signal }) => {
      const [z, x, y] = url.split('/').slice(-3).map(Number) as [number, number, number];
      // The worker may still ask for tiles of a map that has been removed.
      if (this.isRemoved) return { data: new ArrayBuffer(0) };
      try {
        return { data: await this.read({ z, x, y }, signal) };
      } catch (error) {
        if (!signal.aborted) this.failure = error;
        throw error;
      }
    });
  }

  /** MapLibre shows whichever response arrives last, so a tile that was requested before the last reload is requested again. */
  async read(tile: TilePlace, signal: AbortSignal): Promise<ArrayBuffer> {
    const reload = this.reloads;
    const data = await this.readTile(tile, signal);
    return reload === this.reloads ? data : this.read(tile, signal);
  }

  /** What was asked for before is outdated. */
  outdate(): void {
    this.reloads++;
    this.failure = undefined;
  }

  remove(): void {
    this.isRemoved = true;
  }
}
