import maplibre from 'maplibre-gl/dist/maplibre-gl-csp.js';
import workerUrl from 'maplibre-gl/dist/maplibre-gl-csp-worker.js?url';
import 'maplibre-gl/dist/maplibre-gl.css';
import type * as gl from 'maplibre-gl';
import { AbortedError } from '@fibre/client';
import type { Box, Place } from '../access-node.js';
import { backgroundStyle, PLACES } from './background.js';
import { extentIn } from './extent.js';
import {
  CLICKABLE,
  type Colours,
  coloursAt,
  COUNTED,
  distanceFrom,
  drawingOf,
  DRAWN,
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
  TILE_LAYERS,
  type TileLayer,
} from './layers.js';

maplibre.setWorkerUrl(workerUrl);

const PROTOCOL = 'coverage';
const TILES = `${PROTOCOL}://tiles/{z}/{x}/{y}`;
const EUROPE = { center: [13, 48] as [number, number], zoom: 3.5 };
/** Minimum zoom level for showing a node opened from the list. */
const NEAR_ENOUGH = 9;
/** Distance in pixels from a click or the crosshair within which a node is found. */
const NEAR = 8;
/** At this zoom level, a click on the map is precise enough to pick a place. */
const PRECISE = 8;
/** The zoom level to which a less precise click zooms in: a town with its villages. */
const AROUND_TOWN = 11;
/** From this zoom level on, the bundled background has so little to show that a grid and the nearest place help. */
const STREETS = 12;

export interface InView {
  readonly count: number;
  readonly isEstimated: boolean;
}

/** What says where the map is at the level of streets: the grid, and the nearest place with its distance and direction. */
export interface Where {
  readonly grid: number;
  readonly nearest?: { readonly name: string; readonly metres: number; readonly direction: number };
}

export interface MapViewOptions {
  readonly container: HTMLElement;
  /** A style to use instead of the bundled background. */
  readonly style: string | undefined;
  /** Name of the map, for screen readers. */
  readonly label: string;
  readonly language: string;
  readonly texts: Record<string, string>;
  readonly readTile: (tile: { z: number; x: number; y: number }, query: string, signal: AbortSignal) => Promise<ArrayBuffer>;
  readonly onState: (state: 'loading' | 'idle') => void;
  readonly onInView: (inView: InView) => void;
  readonly onFailure: (error: unknown) => void;
  readonly onMove: (zoom: number, center: Place) => void;
  /** Called when a node is picked. */
  readonly onNode: (node_id: string) => void;
  /** Called with the clicked place while the map picks places. */
  readonly onPlace: (place: Place) => void;
  /** Called instead if the map shows too large an area for a click to be precise; the map then zooms in. */
  readonly onVague: () => void;
  readonly onWhere: (where: Where | undefined) => void;
  readonly describe: (properties: Record<string, unknown>) => string;
}

/** The map; only this class uses MapLibre. */
export class MapView {
  readonly map: gl.Map;
  private readonly hint: gl.Popup;
  private query: string | undefined;
  private reloads = 0;
  private search: DrawnSearch | undefined;
  private selected: string | undefined;
  /** Position of the selected node, until the node is visible. */
  private sought: Place | undefined;
  private hovered: string | undefined;
  private drawn: TileLayer = 'nodes';
  private colours: Colours | undefined;
  private picksPlaces = false;
  /** Increases when the map is asked to show all nodes. */
  private fits = 0;
  private isFitting = false;
  private hasStyle = false;
  private isRemoved = false;
  private lastFailure: unknown;

  /** @throws Error if the browser does not support WebGL */
  constructor(private readonly options: MapViewOptions) {
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
    this.map = new maplibre.Map({
      container: options.container,
      ...EUROPE,
      maxZoom: MAX_ZOOM,
      attributionControl: { compact: false },
      dragRotate: false,
      pitchWithRotate: false,
      touchPitch: false,
      fadeDuration: 0,
      locale: { ...options.texts, 'Map.Title': options.label },
    });
    this.hint = new maplibre.Popup({ closeButton: false, closeOnClick: false, className: 'map-hint', offset: 8 });
    this.map.touchZoomRotate.disableRotation();
    this.map.keyboard.disableRotation();
    this.map.addControl(new maplibre.NavigationControl({ showCompass: false }), 'top-right');
    this.map.addControl(new maplibre.ScaleControl({ maxWidth: 120 }), 'bottom-left');
    this.listen();
  }

  /** Shows other nodes, or reloads the same ones. @param query query string of the tile requests; if `undefined`, no nodes are shown */
  showNodes(query: string | undefined): void {
    this.query = query;
    this.select(undefined);
    if (this.isFitting) void this.fit();
    if (this.source(NODES) && query !== undefined) this.reload();
    else if (this.hasStyle) this.restyle();
  }

  /** Redraws the background and the nodes, in other colours or another language. */
  restyle(): void {
    // Nothing is loaded for a view that is about to change.
    if (this.isFitting && !this.hasStyle) return;
    const colours = (this.colours = coloursAt(this.options.container));
    const background = this.options.style ?? backgroundStyle(colours);
    const transformStyle = (_before: gl.StyleSpecification | undefined, style: gl.StyleSpecification): gl.StyleSpecification => ({
      ...style,
      sources: {
        ...style.sources,
        [SEARCH]: { type: 'geojson', data: drawingOf(this.search) },
        ...(!this.options.style && { [GRID]: { type: 'geojson', data: this.grid() } }),
        ...(this.query !== undefined && { [NODES]: nodesSource(TILES) }),
      },
      layers: inOrder([
        ...style.layers,
        ...(this.options.style ? [] : [gridLayer(colours)]),
        ...nodeLayers(colours).filter((layer) => this.query !== undefined || !('source' in layer) || layer.source !== NODES),
      ]),
    });
    this.map.setStyle(background, { diff: false, transformStyle });
    this.hasStyle = true;
    void this.map.once('style.load', () => this.draw(this.drawn));
  }

  drawSearch(search: DrawnSearch | undefined): void {
    this.search = search;
    this.source<gl.GeoJSONSource>(SEARCH)?.setData(drawingOf(search));
    const found = boundsOf(drawingOf(search).features.flatMap(({ geometry }) => positionsOf(geometry)));
    if (!search || found.isEmpty()) return;
    const seen = this.map.getBounds();
    const isSeen = seen.contains(found.getSouthWest()) && seen.contains(found.getNorthEast());
    const isTiny = (found.getEast() - found.getWest()) / (seen.getEast() - seen.getWest()) < 0.1;
    if (!isSeen || isTiny || !search.circle) this.map.fitBounds(found, { padding: 40, maxZoom: 16, animate: false });
  }

  /** Sets whether a click on the map picks a place, for a search or a new node. */
  pickPlaces(picks: boolean): void {
    this.picksPlaces = picks;
    this.map.getCanvas().style.cursor = picks ? 'crosshair' : '';
  }

  /** Selects a node, and zooms in until it is visible. */
  select(node_id: string | undefined, place?: Place): void {
    this.mark(this.selected, 'selected', false);
    this.selected = node_id;
    this.mark(node_id, 'selected', true);
    this.sought = place;
    if (place) this.showPlace(place, NEAR_ENOUGH);
    this.map.triggerRepaint();
  }

  /** Moves the map only if the place is out of view. */
  showPlace({ latitude, longitude }: Place, zoom?: number): void {
    const isSeen = this.map.getBounds().contains([longitude, latitude]);
    if (isSeen && (zoom === undefined || this.map.getZoom() >= zoom)) return;
    this.map.jumpTo({ center: [longitude, latitude], zoom: Math.max(zoom ?? 0, this.map.getZoom()) });
  }

  jumpTo(zoom: number, { latitude, longitude }: Place): void {
    this.map.jumpTo({ zoom, center: [longitude, latitude] });
  }

  /** Shows all nodes. */
  showAll(): void {
    this.isFitting = true;
    this.options.onState('loading');
    if (this.query !== undefined) void this.fit();
  }

  boxInView(): Box {
    const { width, height } = this.map.getCanvas().getBoundingClientRect();
    return this.boxBetween([0, 0], [width, height]);
  }

  /** The box that the person draws by dragging, unless the signal aborts or they press Escape. @throws AbortedError */
  async drawBox(signal: AbortSignal): Promise<Box> {
    const { map } = this;
    const area = map.getCanvasContainer();
    const shape = Object.assign(document.createElement('div'), { className: 'map-box' });
    const over = new AbortController();
    const on = <E extends Event>(target: EventTarget, event: string, does: (event: E) => void): void =>
      target.addEventListener(event, does as (event: Event) => void, { signal: over.signal });
    map.dragPan.disable();
    area.style.touchAction = 'none';
    area.append(shape);
    try {
      return await new Promise<Box>((resolve, reject) => {
        let from: [number, number] | undefined;
        const at = ({ clientX, clientY }: PointerEvent): [number, number] => {
          const { left, top } = area.getBoundingClientRect();
          return [clientX - left, clientY - top];
        };
        const giveUp = (): void => reject(new AbortedError('No box was drawn'));
        on(signal, 'abort', giveUp);
        on<KeyboardEvent>(document, 'keydown', ({ key }) => key === 'Escape' && giveUp());
        on<PointerEvent>(area, 'pointerdown', (event) => {
          from = at(event);
          area.setPointerCapture(event.pointerId);
        });
        on<PointerEvent>(area, 'pointermove', (event) => {
          if (!from) return;
          const [[x0, y0], [x1, y1]] = [from, at(event)];
          shape.style.inset = `${Math.min(y0, y1)}px auto auto ${Math.min(x0, x1)}px`;
          shape.style.width = `${Math.abs(x1 - x0)}px`;
          shape.style.height = `${Math.abs(y1 - y0)}px`;
        });
        on<PointerEvent>(area, 'pointerup', (event) => from && resolve(this.boxBetween(from, at(event))));
      });
    } finally {
      over.abort();
      shape.remove();
      area.style.touchAction = '';
      if (!this.isRemoved) map.dragPan.enable();
    }
  }

  /** Loads every tile again. */
  reload(): void {
    this.reloads++;
    this.lastFailure = undefined;
    this.source<gl.VectorTileSource>(NODES)?.setTiles([TILES]);
  }

  remove(): void {
    this.isRemoved = true;
    this.map.remove();
  }

  private boxBetween(...corners: [number, number][]): Box {
    const places = corners.map((corner) => this.map.unproject(corner));
    const [south, north] = [Math.min, Math.max].map((pick) => pick(...places.map(({ lat }) => lat)));
    const [west, east] = [Math.min, Math.max].map((pick) => pick(...places.map(({ lng }) => lng)));
    // The map may show the world more than once.
    const isWhole = east! - west! >= 360;
    const wrap = (degrees: number): number => ((((degrees + 180) % 360) + 360) % 360) - 180;
    return { south: south!, north: north!, west: isWhole ? -180 : wrap(west!), east: isWhole ? 180 : wrap(east!) };
  }

  /** MapLibre shows whichever response arrives last, so a tile that was requested before the last reload is requested again. */
  private async readLatest(tile: { z: number; x: number; y: number }, signal: AbortSignal): Promise<ArrayBuffer> {
    const reload = this.reloads;
    const data = await this.options.readTile(tile, this.query ?? '', signal);
    return reload === this.reloads ? data : this.readLatest(tile, signal);
  }

  private listen(): void {
    const { map, options } = this;
    const canvas = map.getCanvas();
    map.on('error', ({ error }: { error: Error }) => {
      if (error.name !== 'AbortError') options.onFailure(this.lastFailure ?? error);
    });
    map.on('dataloading', () => options.onState('loading'));
    map.on('movestart', () => options.onState('loading'));
    map.on('idle', () => this.settle());
    map.on('styleimagemissing', ({ id }) => {
      const image = this.colours && imageOf(id, this.colours);
      if (image) map.addImage(id, image, { pixelRatio: 2 });
    });
    map.on('moveend', () => {
      this.source<gl.GeoJSONSource>(GRID)?.setData(this.grid());
      const { lat, lng } = map.getCenter().wrap();
      options.onMove(map.getZoom(), { latitude: lat, longitude: lng });
    });
    map.on('click', ({ point }) => this.pick(point));
    map.on('mousemove', ({ point }) => this.point(this.nearest(point)));
    map.on('mouseout', () => this.point(undefined));
    canvas.addEventListener('keydown', ({ key }) => {
      if (key === 'Enter') this.pick(map.project(map.getCenter()));
    });
  }

  /** Returns nothing if there is no style yet or the map has been removed, because MapLibre would throw. */
  private source<T extends gl.Source>(id: string): T | undefined {
    return this.hasStyle && !this.isRemoved ? this.map.getSource<T>(id) : undefined;
  }

  private settle(): void {
    // Without a style there is nothing to do yet.
    if (!this.hasStyle) return;
    if (this.isFitting) return;
    const wanted = this.features('nodes').some(({ properties }) => 'count' in properties) ? 'cells' : 'nodes';
    if (wanted !== this.drawn) return this.draw(wanted);
    this.mark(this.selected, 'selected', true);
    if (this.sought && this.seek(this.sought)) return;
    const features = this.source(NODES) ? this.map.queryRenderedFeatures({ layers: COUNTED }) : [];
    const counts = features.map(({ properties }) => ('count' in properties ? Number(properties['count']) : 1));
    this.options.onInView({
      count: counts.reduce((sum, count) => sum + count, 0),
      isEstimated: features.some(({ properties }) => 'estimated' in properties),
    });
    this.options.onWhere(this.where());
    this.options.onState('idle');
  }

  /** Features of the tiles in view. */
  private features(sourceLayer: TileLayer): gl.GeoJSONFeature[] {
    return this.source(NODES) ? this.map.querySourceFeatures(NODES, { sourceLayer }) : [];
  }

  /** Shows the same layer for all tiles, so that no view shows cells in one tile and single nodes in the next. */
  private draw(shown: TileLayer): void {
    this.drawn = shown;
    if (!this.source(NODES)) return;
    for (const layer of TILE_LAYERS)
      for (const id of DRAWN[layer]) this.map.setLayoutProperty(id, 'visibility', layer === shown ? 'visible' : 'none');
  }

  /** Finds the nodes in their tiles, first in that of the whole world and then in those within it, and moves the map there once. */
  private async fit(): Promise<void> {
    const fit = ++this.fits;
    const isOutdated = (): boolean => this.isRemoved || fit !== this.fits;
    let camera: gl.CenterZoomBearing | undefined;
    try {
      let found: gl.LngLatBounds | undefined;
      // One more level would only show where within their cells the outermost nodes are.
      for (let [z, next] = [-2, 0]; next > z + 1; next = Math.floor(camera?.zoom ?? 0)) {
        z = next;
        found = await extentIn(found, z, (tile) => this.readLatest(tile, new AbortController().signal));
        if (isOutdated()) return;
        camera = found && this.map.cameraForBounds(found, { padding: 40, maxZoom: 15 });
      }
    } catch (error) {
      if (isOutdated()) return;
      this.options.onFailure(error);
    }
    this.isFitting = false;
    this.map.jumpTo(camera ?? EUROPE);
    if (!this.hasStyle) this.restyle();
    this.map.triggerRepaint();
  }

  /** The lines of the grid, none if the map shows more than streets. */
  private grid(): GeoJSON.FeatureCollection {
    const { lat: latitude, lng: longitude } = this.map.getCenter();
    const zoom = this.map.getZoom();
    const pixel = metresPerPixel(zoom, latitude);
    if (zoom < STREETS) return { type: 'FeatureCollection', features: [] };
    return gridAround({ latitude, longitude }, gridStep(pixel), 1_600 * pixel);
  }

  /** The grid and the nearest place, if the map shows streets. */
  private where(): Where | undefined {
    const { lat: latitude, lng: longitude } = this.map.getCenter().wrap();
    const zoom = this.map.getZoom();
    if (zoom < STREETS || this.options.style) return undefined;
    const places = this.map.querySourceFeatures(PLACES, { sourceLayer: PLACES }).map(({ geometry, properties }) => {
      const [x = 0, y = 0] = positionsOf(geometry)[0] ?? [];
      const name = String(properties[this.options.language] ?? properties['name']);
      return { name, ...distanceFrom({ latitude: y, longitude: x }, { latitude, longitude }) };
    });
    const [nearest] = places.sort((one, other) => one.metres - other.metres);
    return { grid: gridStep(metresPerPixel(zoom, latitude)), ...(nearest && { nearest }) };
  }

  /** @returns whether the map zooms in further, because other nodes still hide this one */
  private seek(place: Place): boolean {
    const isSeen = this.features(this.drawn).some(({ id }) => id === this.selected);
    if (isSeen || this.map.getZoom() >= MAX_ZOOM) {
      this.sought = undefined;
      return false;
    }
    this.jumpTo(Math.min(MAX_ZOOM, this.map.getZoom() + 2), place);
    return true;
  }

  private pick(point: gl.Point): void {
    const place = this.map.unproject(point).wrap();
    if (this.picksPlaces && this.map.getZoom() < PRECISE) {
      this.options.onVague();
      this.map.easeTo({ center: place, zoom: AROUND_TOWN });
      return;
    }
    if (this.picksPlaces) return this.options.onPlace({ latitude: place.lat, longitude: place.lng });
    const feature = this.nearest(point);
    if (!feature) return;
    if (typeof feature.id === 'string') return this.options.onNode(feature.id);
    const [longitude = 0, latitude = 0] = positionsOf(feature.geometry)[0] ?? [];
    this.map.easeTo({ center: [longitude, latitude], zoom: this.map.getZoom() + 2 });
  }

  private nearest(point: gl.Point): gl.MapGeoJSONFeature | undefined {
    if (!this.source(NODES)) return undefined;
    const { x, y } = point;
    const features = this.map.queryRenderedFeatures(
      [
        [x - NEAR, y - NEAR],
        [x + NEAR, y + NEAR],
      ],
      { layers: CLICKABLE },
    );
    const distance = ({ geometry }: gl.MapGeoJSONFeature): number =>
      this.map.project(positionsOf(geometry)[0] as [number, number]).dist(point);
    return features.sort((one, other) => distance(one) - distance(other))[0];
  }

  /** Describes the feature under the pointer. */
  private point(feature: gl.MapGeoJSONFeature | undefined): void {
    const id = typeof feature?.id === 'string' ? feature.id : undefined;
    if (id !== this.hovered) {
      this.mark(this.hovered, 'hover', false);
      this.mark(id, 'hover', true);
      this.hovered = id;
    }
    this.map.getCanvas().style.cursor = this.picksPlaces ? 'crosshair' : feature ? 'pointer' : '';
    if (!feature) this.hint.remove();
    else
      this.hint
        .setLngLat(positionsOf(feature.geometry)[0] as [number, number])
        .setText(this.options.describe(feature.properties))
        .addTo(this.map);
  }

  private mark(id: string | undefined, state: 'hover' | 'selected', value: boolean): void {
    if (id === undefined || !this.source(NODES)) return;
    for (const sourceLayer of TILE_LAYERS) this.map.setFeatureState({ source: NODES, sourceLayer, id }, { [state]: value });
  }
}

function positionsOf(geometry: GeoJSON.Geometry): GeoJSON.Position[] {
  if (geometry.type === 'Point') return [geometry.coordinates];
  return geometry.type === 'Polygon' ? geometry.coordinates.flat() : [];
}

const boundsOf = (positions: GeoJSON.Position[]): gl.LngLatBounds =>
  positions.reduce((bounds, [x = 0, y = 0]) => bounds.extend([x, y]), new maplibre.LngLatBounds());
