import type * as gl from 'maplibre-gl';
import type { TilePlace } from '@fibre/client';
import type { Box, Place } from '../access-node.js';
import { cameraOfAll } from './extent.js';
import { keepView } from './kept-view.js';
import { EUROPE, newMap } from './new-map.js';
import { NodeTiles } from './node-tiles.js';
import { type Picks, Pointer } from './pointer.js';
import { toLngLat, toPlace } from './positions.js';
import { type Seen, seenIn } from './seen.js';
import { backgroundStyle } from './style/background.js';
import { type Colours, coloursAt } from './style/colours.js';
import { areaOf, drawingOf, type DrawnSearch, NOTHING, SEARCH } from './style/drawn-search.js';
import { imageOf } from './style/images.js';
import { CLICKABLE, NODES, type TileLayer, withNodes } from './style/layers.js';
import { GRID, gridIn, STREETS } from './style/streets.js';

/** No node has this id. */
const NO_NODE = '';
/** At this zoom level, a node stands by itself. */
const BY_ITSELF = 16;
/** Minimum zoom level for showing a place that a search found. */
const VILLAGE = 12;

export interface MapViewOptions extends Picks {
  readonly container: HTMLElement;
  /** A style to use instead of the bundled background. */
  readonly style: string | undefined;
  readonly readTile: (tile: TilePlace, signal: AbortSignal) => Promise<ArrayBuffer>;
  /** The room at the edges that other things cover, in pixels. */
  readonly padding: () => gl.PaddingOptions;
  readonly onLoading: () => void;
  readonly onSeen: (seen: Seen) => void;
  /** Called when all nodes were looked for. */
  readonly onFitted: (hasNodes: boolean) => void;
  readonly onFailure: (error: unknown) => void;
  /** Called with the box that the person draws, with Shift pressed. */
  readonly onBox: (box: Box) => void;
}

/** The map of the nodes. */
export class MapView {
  readonly map: gl.Map;
  private readonly tiles: NodeTiles;
  readonly pointer: Pointer;
  private search: DrawnSearch | undefined;
  private selected = NO_NODE;
  private shown: TileLayer = 'nodes';
  /** Set together with the style. */
  private colours: Colours | undefined;
  /** Ends the search for all nodes, while there is one. */
  private fitting: AbortController | undefined;
  private isRemoved = false;

  /** @throws Error if the browser does not support WebGL */
  constructor(private readonly options: MapViewOptions) {
    const page = location.pathname;
    this.tiles = new NodeTiles(options.readTile);
    const map = (this.map = newMap(options.container, options.onBox));
    map.on('error', ({ error }: { error: Error }) => {
      if (error.name !== 'AbortError') options.onFailure(this.tiles.failure ?? error);
    });
    map.on('dataloading', options.onLoading);
    map.on('movestart', options.onLoading);
    map.on('idle', () => this.settle());
    map.on('styleimagemissing', ({ id }) => {
      const image = this.colours && imageOf(id, this.colours);
      if (image) map.addImage(id, image, { pixelRatio: 2 });
    });
    map.on('moveend', () => {
      this.source<gl.GeoJSONSource>(GRID)?.setData(this.grid());
      // The map may still move while another page replaces this one.
      if (location.pathname === page) keepView(map.getZoom(), toPlace(map.getCenter()));
    });
    const featuresIn = (box: [gl.Point, gl.Point]): gl.MapGeoJSONFeature[] =>
      this.source(NODES) ? map.queryRenderedFeatures(box, { layers: CLICKABLE }) : [];
    this.pointer = new Pointer(map, featuresIn, options);
  }

  /** Loads every tile again. */
  reload(): void {
    this.tiles.outdate();
    if (this.fitting) void this.showAll();
    this.source<gl.VectorTileSource>(NODES)?.setTiles([this.tiles.url]);
  }

  /** Redraws the background and the nodes, in other colours or another language. */
  restyle(): void {
    // Nothing is loaded for a view that is about to change.
    if (this.fitting && !this.colours) return;
    const colours = (this.colours = coloursAt(this.options.container));
    const drawing = drawingOf(this.search, colours);
    const { shown, selected, tiles } = this;
    this.map.setStyle(this.options.style ?? backgroundStyle(colours), {
      diff: false,
      transformStyle: (_before, style) => withNodes(style, colours, { shown, selected, drawing, grid: this.grid(), tiles: tiles.url }),
    });
  }

  drawSearch(search: DrawnSearch | undefined): void {
    this.search = search;
    if (this.colours) this.source<gl.GeoJSONSource>(SEARCH)?.setData(drawingOf(search, this.colours));
    if (!search) return;
    const area = areaOf(search);
    if (area.isEmpty()) return;
    this.map.fitBounds(area, { padding: this.options.padding(), maxZoom: 16, animate: false });
    this.endFitting();
  }

  /** Selects a node, and zooms in if others hide it. */
  select(node_id = NO_NODE, place?: Place): void {
    const isDrawn = node_id === this.selected || this.features(this.shown).some(({ properties }) => properties['node_id'] === node_id);
    this.selected = node_id;
    if (place) this.showPlace(place, isDrawn ? 0 : BY_ITSELF);
    this.map.triggerRepaint();
  }

  /** Moves the map only if the place is out of view, or too small to be seen. */
  showPlace(place: Place, zoom = VILLAGE): void {
    const isSeen = this.map.getBounds().contains(toLngLat(place));
    if (!isSeen || this.map.getZoom() < zoom) this.jumpTo(Math.max(zoom, this.map.getZoom()), place);
  }

  jumpTo(zoom: number, place: Place): void {
    this.map.jumpTo({ zoom, center: toLngLat(place) });
    this.endFitting();
  }

  /** Moves the map to all nodes, once it is known where they are. */
  async showAll(): Promise<void> {
    this.fitting?.abort();
    const { signal } = (this.fitting = new AbortController());
    this.options.onLoading();
    let camera: gl.CenterZoomBearing | undefined;
    try {
      const all = await cameraOfAll(
        (bounds) => this.map.cameraForBounds(bounds, { padding: this.options.padding(), maxZoom: 15 }),
        (tile) => this.tiles.read(tile, signal),
      );
      camera = all?.camera;
      // Drawing single nodes first, only to see that there are too many, would take as long again.
      if (all && !this.colours) this.shown = all.hasCells ? 'cells' : 'nodes';
    } catch (error) {
      if (!signal.aborted) this.options.onFailure(error);
    }
    if (signal.aborted) return;
    this.options.onFitted(camera !== undefined);
    this.map.jumpTo(camera ?? EUROPE);
    this.endFitting();
    this.map.triggerRepaint();
  }

  /** Stops the search for all nodes, because the map is where it should be. */
  private endFitting(): void {
    if (!this.fitting) return;
    this.fitting.abort();
    this.fitting = undefined;
    if (!this.colours) this.restyle();
  }

  remove(): void {
    this.isRemoved = true;
    this.fitting?.abort();
    this.tiles.remove();
    this.map.remove();
  }

  /** Returns nothing if there is no style yet or the map has been removed, because MapLibre would throw. */
  private source<T extends gl.Source>(id: string): T | undefined {
    return this.colours && !this.isRemoved ? this.map.getSource<T>(id) : undefined;
  }

  private settle(): void {
    // Without a style there is nothing to do yet.
    if (!this.colours || this.fitting) return;
    this.shown = this.features('nodes').some(({ properties }) => 'count' in properties) ? 'cells' : 'nodes';
    const { shown, selected } = this.map.getGlobalState();
    if (shown !== this.shown || selected !== this.selected) {
      this.map.setGlobalStateProperty('shown', this.shown);
      this.map.setGlobalStateProperty('selected', this.selected);
      return;
    }
    this.options.onSeen(seenIn(this.map, this.source(NODES) !== undefined, this.showsStreets()));
  }

  /** Features of the tiles in view. */
  private features(sourceLayer: TileLayer): gl.GeoJSONFeature[] {
    return this.source(NODES) ? this.map.querySourceFeatures(NODES, { sourceLayer }) : [];
  }

  /** Whether the map shows streets, on the bundled background. */
  private showsStreets(): boolean {
    return this.map.getZoom() >= STREETS && !this.options.style;
  }

  private grid(): GeoJSON.FeatureCollection {
    return this.showsStreets() ? gridIn(this.map) : NOTHING;
  }
}
