import maplibre from 'maplibre-gl/dist/maplibre-gl-csp.js';
import workerUrl from 'maplibre-gl/dist/maplibre-gl-csp-worker.js?url';
import 'maplibre-gl/dist/maplibre-gl.css';
import type * as gl from 'maplibre-gl';
import { type TilePlace, TOKENS } from '@fibre/client';
import { formatEstimate, formatNumber, language } from '../../../texts.js';
import { announce } from '../../../ui/announcements.js';
import type { Box, Place } from '../access-node.js';
import { nameOf, nodesInWords, texts } from '../coverage-texts.js';
import { backgroundStyle, PLACES } from './background.js';
import { type Extent, extentIn } from './extent.js';
import { keepView, viewOfAddress } from './kept-view.js';
import {
  CLICKABLE,
  type Colours,
  coloursAt,
  COUNTED,
  distanceFrom,
  drawingOf,
  type DrawnSearch,
  GRID,
  gridAround,
  gridLayer,
  gridStep,
  imageOf,
  inOrder,
  MAX_ZOOM,
  metresPerPixel,
  nodeLayers,
  NODES,
  nodesSource,
  SEARCH,
  type TileLayer,
  type Where,
} from './layers.js';

maplibre.setWorkerUrl(workerUrl);
// Its script loads while the nodes are looked for.
maplibre.prewarm();

const PROTOCOL = 'coverage';
const TILES = `${PROTOCOL}://tiles/{z}/{x}/{y}`;
/** No node has this id. */
const NO_NODE = '';
const EUROPE = { center: [13, 48] as [number, number], zoom: 3.5 };
/** At this zoom level, a node stands by itself. */
const BY_ITSELF = 16;
/** Minimum zoom level for showing a place that a search found. */
const VILLAGE = 12;
/** Distance in pixels from a click or the crosshair within which a node is found. */
const NEAR = 8;
/** At this zoom level, a click on the map is precise enough to pick a place. */
const PRECISE = 8;
/** The zoom level to which a less precise click zooms in: a town with its villages. */
const AROUND_TOWN = 11;
/** From this zoom level on, the bundled background has so little to show that a grid and the nearest place help. */
const STREETS = 12;

/** What the map shows. */
export interface Seen {
  readonly count: number;
  readonly isEstimated: boolean;
  readonly where: Where | undefined;
}

export interface MapViewOptions {
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
  /** Called when a node is picked. */
  readonly onNode: (node_id: string) => void;
  /** Called with the clicked place while the map picks places. */
  readonly onPlace: (place: Place) => void;
  /** Called with the box that the person draws, with Shift pressed. */
  readonly onBox: (box: Box) => void;
}

/** The map; only this class uses MapLibre. */
export class MapView {
  readonly map: gl.Map;
  private reloads = 0;
  private search: DrawnSearch | undefined;
  private selected = NO_NODE;
  private shown: TileLayer = 'nodes';
  /** Set together with the style. */
  private colours: Colours | undefined;
  private picksPlaces = false;
  /** Increases when the map is asked to show all nodes. */
  private fits = 0;
  private isFitting = false;
  private isRemoved = false;
  private lastFailure: unknown;

  /** @throws Error if the browser does not support WebGL */
  constructor(private readonly options: MapViewOptions) {
    const t = texts();
    const linked = viewOfAddress();
    const page = location.pathname;
    maplibre.addProtocol(PROTOCOL, async ({ url }, { signal }) => {
      const [z, x, y] = url.split('/').slice(-3).map(Number) as [number, number, number];
      // The worker may still ask for tiles of a map that has been removed.
      if (this.isRemoved) return { data: new ArrayBuffer(0) };
      try {
        return { data: await this.readLatest({ z, x, y }, signal) };
      } catch (error) {
        // The worker does not pass on the details of an error.
        if (!signal.aborted) this.lastFailure = error;
        throw error;
      }
    });
    const map = new maplibre.Map({
      container: options.container,
      ...(linked ? { zoom: linked.zoom, center: toLngLat(linked) } : EUROPE),
      maxZoom: MAX_ZOOM,
      attributionControl: { compact: false },
      boxZoom: { boxZoomEnd: (_map, from, to) => options.onBox(this.boxBetween(from, to)) },
      dragRotate: false,
      touchPitch: false,
      fadeDuration: 0,
      locale: { 'Map.Title': t.mapLabel, 'AttributionControl.ToggleAttribution': t.attribution },
    });
    this.map = map;
    map.touchZoomRotate.disableRotation();
    map.keyboard.disableRotation();
    map.addControl(new maplibre.ScaleControl({ maxWidth: 120 }), 'bottom-left');
    map.on('error', ({ error }: { error: Error }) => {
      if (error.name !== 'AbortError') options.onFailure(this.lastFailure ?? error);
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
      if (location.pathname === page) keepView(map.getZoom(), this.center());
    });
    map.on('click', ({ point }) => this.pick(point));
    map.on('mousemove', ({ point }) => this.point(this.nearest(point)));
    map.on('mouseout', () => this.point(undefined));
    map.getCanvas().addEventListener('keydown', ({ key }) => {
      if (key === 'Enter') this.pick(map.project(map.getCenter()));
    });
  }

  /** Loads every tile again. */
  reload(): void {
    this.reloads++;
    this.lastFailure = undefined;
    if (this.isFitting) void this.showAll();
    this.source<gl.VectorTileSource>(NODES)?.setTiles([TILES]);
  }

  /** Redraws the background and the nodes, in other colours or another language. */
  restyle(): void {
    // Nothing is loaded for a view that is about to change.
    if (this.isFitting && !this.colours) return;
    const colours = (this.colours = coloursAt(this.options.container));
    const ownStyle = this.options.style;
    const transformStyle = (_before: gl.StyleSpecification | undefined, style: gl.StyleSpecification): gl.StyleSpecification => ({
      ...style,
      state: { ...style.state, shown: { default: this.shown }, selected: { default: this.selected } },
      sources: {
        ...style.sources,
        [SEARCH]: { type: 'geojson', data: drawingOf(this.search, colours) },
        [GRID]: { type: 'geojson', data: this.grid() },
        [NODES]: nodesSource(TILES),
      },
      layers: inOrder([...style.layers, gridLayer(colours), ...nodeLayers(colours)]),
    });
    this.map.setStyle(ownStyle ?? backgroundStyle(colours), { diff: false, transformStyle });
  }

  drawSearch(search: DrawnSearch | undefined): void {
    this.search = search;
    if (this.colours) this.source<gl.GeoJSONSource>(SEARCH)?.setData(drawingOf(search, this.colours));
    if (!search) return;
    const { circle, found, missed = [] } = search;
    const area = circle
      ? maplibre.LngLatBounds.fromLngLat(maplibre.LngLat.convert(toLngLat(circle.center)), circle.metres)
      : new maplibre.LngLatBounds();
    // What was found matters more; without it, the map shows where nothing was.
    for (const place of found.length > 0 ? found : missed) area.extend(toLngLat(place));
    if (area.isEmpty()) return;
    this.map.fitBounds(area, { padding: this.options.padding(), maxZoom: 16, animate: false });
    this.endFitting();
  }

  /** Sets whether a click on the map picks a place, for a search or a new node. */
  pickPlaces(picks: boolean): void {
    this.picksPlaces = picks;
    this.map.getCanvas().style.cursor = picks ? 'crosshair' : '';
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

  /** Finds the nodes in their tiles, first in that of the whole world and then in those within it, and moves the map there once. */
  async showAll(): Promise<void> {
    this.isFitting = true;
    this.options.onLoading();
    const fit = ++this.fits;
    const isOutdated = (): boolean => this.isRemoved || fit !== this.fits;
    let camera: gl.CenterZoomBearing | undefined;
    try {
      let found: Extent | undefined;
      // One more level would only show where within their cells the outermost nodes are.
      for (let [z, next] = [-2, 0]; next > z + 1; next = Math.floor(camera?.zoom ?? 0)) {
        z = next;
        found = await extentIn(found?.bounds, z, (tile) => this.readLatest(tile, new AbortController().signal));
        if (isOutdated()) return;
        camera = found && this.map.cameraForBounds(found.bounds, { padding: this.options.padding(), maxZoom: 15 });
      }
      // Drawing single nodes first, only to see that there are too many, would take as long again.
      if (found && !this.colours) this.shown = found.hasCells ? 'cells' : 'nodes';
    } catch (error) {
      if (isOutdated()) return;
      this.options.onFailure(error);
    }
    this.options.onFitted(camera !== undefined);
    this.map.jumpTo(camera ?? EUROPE);
    this.endFitting();
    this.map.triggerRepaint();
  }

  /** Stops the fit to all nodes, because the map is where it should be. */
  private endFitting(): void {
    if (!this.isFitting) return;
    this.fits++;
    this.isFitting = false;
    if (!this.colours) this.restyle();
  }

  /** For those who cannot drag, as WCAG 2.5.7 asks. */
  boxInView(): Box {
    const { clientWidth, clientHeight } = this.map.getCanvas();
    return this.boxBetween(new maplibre.Point(0, 0), new maplibre.Point(clientWidth, clientHeight));
  }

  remove(): void {
    this.isRemoved = true;
    this.map.remove();
  }

  private boxBetween(...corners: gl.Point[]): Box {
    const bounds = new maplibre.LngLatBounds();
    for (const corner of corners) bounds.extend(this.map.unproject(corner));
    // The map may show the world more than once.
    const isWhole = bounds.getEast() - bounds.getWest() >= 360;
    const [{ lng: west, lat: south }, { lng: east, lat: north }] = [bounds.getSouthWest().wrap(), bounds.getNorthEast().wrap()];
    return { south, north, west: isWhole ? -180 : west, east: isWhole ? 180 : east };
  }

  /** MapLibre shows whichever response arrives last, so a tile that was requested before the last reload is requested again. */
  private async readLatest(tile: TilePlace, signal: AbortSignal): Promise<ArrayBuffer> {
    const reload = this.reloads;
    const data = await this.options.readTile(tile, signal);
    return reload === this.reloads ? data : this.readLatest(tile, signal);
  }

  private center(): Place {
    return toPlace(this.map.getCenter());
  }

  /** Returns nothing if there is no style yet or the map has been removed, because MapLibre would throw. */
  private source<T extends gl.Source>(id: string): T | undefined {
    return this.colours && !this.isRemoved ? this.map.getSource<T>(id) : undefined;
  }

  private settle(): void {
    // Without a style there is nothing to do yet.
    if (!this.colours || this.isFitting) return;
    this.shown = this.features('nodes').some(({ properties }) => 'count' in properties) ? 'cells' : 'nodes';
    const { shown, selected } = this.map.getGlobalState();
    if (shown !== this.shown || selected !== this.selected) {
      this.map.setGlobalStateProperty('shown', this.shown);
      this.map.setGlobalStateProperty('selected', this.selected);
      return;
    }
    const features = this.source(NODES) ? this.map.queryRenderedFeatures({ layers: COUNTED }) : [];
    const counts = features.map(({ properties }) => ('count' in properties ? Number(properties['count']) : 1));
    this.options.onSeen({
      count: counts.reduce((sum, count) => sum + count, 0),
      isEstimated: features.some(({ properties }) => 'estimated' in properties),
      where: this.where(),
    });
  }

  /** Features of the tiles in view. */
  private features(sourceLayer: TileLayer): gl.GeoJSONFeature[] {
    return this.source(NODES) ? this.map.querySourceFeatures(NODES, { sourceLayer }) : [];
  }

  /** Whether the map shows streets, on the bundled background. */
  private showsStreets(): boolean {
    return this.map.getZoom() >= STREETS && !this.options.style;
  }

  /** The lines of the grid, none if the map shows more than streets. */
  private grid(): GeoJSON.FeatureCollection {
    if (!this.showsStreets()) return { type: 'FeatureCollection', features: [] };
    const center = this.center();
    const pixel = metresPerPixel(this.map.getZoom(), center.latitude);
    return gridAround(center, gridStep(pixel), 1_600 * pixel);
  }

  /** The grid and the nearest place, if the map shows streets. */
  private where(): Where | undefined {
    if (!this.showsStreets()) return undefined;
    const center = this.center();
    const places = this.map.querySourceFeatures(PLACES, { sourceLayer: PLACES }).map((feature) => {
      const name = String(feature.properties[language.value] ?? feature.properties['name']);
      return { name, ...distanceFrom(toPlace(positionOf(feature)), center) };
    });
    const [nearest] = places.sort((one, other) => one.metres - other.metres);
    return { grid: gridStep(metresPerPixel(this.map.getZoom(), center.latitude)), ...(nearest && { nearest }) };
  }

  private pick(point: gl.Point): void {
    const at = this.map.unproject(point).wrap();
    const zoom = this.map.getZoom();
    if (this.picksPlaces && zoom >= PRECISE) return this.options.onPlace(toPlace(at));
    if (this.picksPlaces) {
      announce(texts().clickAgain);
      this.map.easeTo({ center: at, zoom: AROUND_TOWN });
      return;
    }
    const feature = this.nearest(point);
    const node_id: unknown = feature?.properties['node_id'];
    if (typeof node_id === 'string') this.options.onNode(node_id);
    else if (feature) this.map.easeTo({ center: positionOf(feature), zoom: zoom + 2 });
  }

  private nearest(point: gl.Point): gl.MapGeoJSONFeature | undefined {
    if (!this.source(NODES)) return undefined;
    const around = new maplibre.Point(NEAR, NEAR);
    const features = this.map.queryRenderedFeatures([point.sub(around), point.add(around)], { layers: CLICKABLE });
    const distance = (feature: gl.MapGeoJSONFeature): number => this.map.project(positionOf(feature)).dist(point);
    return features.sort((one, other) => distance(one) - distance(other))[0];
  }

  /** Describes the feature under the pointer. */
  private point(feature: gl.MapGeoJSONFeature | undefined): void {
    const canvas = this.map.getCanvas();
    canvas.style.cursor = this.picksPlaces ? 'crosshair' : feature ? 'pointer' : '';
    canvas.title = feature ? describe(feature.properties) : '';
  }
}

const toLngLat = ({ latitude, longitude }: Place): [number, number] => [longitude, latitude];
const toPlace = (at: gl.LngLatLike): Place => {
  const { lat, lng } = maplibre.LngLat.convert(at).wrap();
  return { latitude: lat, longitude: lng };
};

/** The position of a node, a cell or a place. */
const positionOf = ({ geometry }: gl.GeoJSONFeature): [number, number] => (geometry as GeoJSON.Point).coordinates as [number, number];

/** The text shown next to the pointer. */
function describe({ count, estimated, token, technology, status, ...stages }: Record<string, unknown>): string {
  if (count === undefined) return [nameOf(String(token)), technology, nameOf(String(status))].filter(Boolean).join(' · ');
  const format = estimated ? formatEstimate : formatNumber;
  const shares = TOKENS.filter((name) => stages[name]).map((name) => `${format(Number(stages[name]))} ${nameOf(name)}`);
  return `${nodesInWords(Number(count), Boolean(estimated))}: ${shares.join(', ')}`;
}
