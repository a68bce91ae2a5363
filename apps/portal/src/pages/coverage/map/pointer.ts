import { TOKENS } from '@fibre/client';
import maplibre from 'maplibre-gl/dist/maplibre-gl-csp.js';
import type * as gl from 'maplibre-gl';
import { formatEstimate, formatNumber } from '../../../texts.js';
import { announce } from '../../../ui/announcements.js';
import type { Place } from '../access-node.js';
import { nameOf, nodesInWords, texts } from '../coverage-texts.js';
import { positionOf, toPlace } from './positions.js';

/** Distance in pixels from a click or the crosshair within which a node is found. */
const NEAR = 8;
/** At this zoom level, a click on the map is precise enough to pick a place. */
const PRECISE = 8;
/** The zoom level to which a less precise click zooms in: a town with its villages. */
const AROUND_TOWN = 11;

export interface Picks {
  /** Called when a node is picked. */
  readonly onNode: (node_id: string) => void;
  /** Called with the clicked place while the map picks places. */
  readonly onPlace: (place: Place) => void;
}

/** What the pointer, or the Enter key in the middle of the map, points at and picks. */
export class Pointer {
  private picksPlaces = false;

  /** @param featuresIn the nodes and cells in a box of the map, in pixels */
  constructor(
    private readonly map: gl.Map,
    private readonly featuresIn: (box: [gl.Point, gl.Point]) => gl.MapGeoJSONFeature[],
    private readonly picks: Picks,
  ) {
    map.on('click', ({ point }) => this.pick(point));
    map.on('mousemove', ({ point }) => this.describe(this.nearest(point)));
    map.on('mouseout', () => this.describe(undefined));
    map.getCanvas().addEventListener('keydown', ({ key }) => {
      if (key === 'Enter') this.pick(map.project(map.getCenter()));
    });
  }

  /** Sets whether a click on the map picks a place, for a search or a new node. */
  pickPlaces(picks: boolean): void {
    this.picksPlaces = picks;
    this.map.getCanvas().style.cursor = picks ? 'crosshair' : '';
  }

  private pick(point: gl.Point): void {
    const at = this.map.unproject(point).wrap();
    const zoom = this.map.getZoom();
    if (this.picksPlaces && zoom >= PRECISE) return this.picks.onPlace(toPlace(at));
    if (this.picksPlaces) {
      announce(texts().clickAgain);
      this.map.easeTo({ center: at, zoom: AROUND_TOWN });
      return;
    }
    const feature = this.nearest(point);
    const node_id: unknown = feature?.properties['node_id'];
    if (typeof node_id === 'string') this.picks.onNode(node_id);
    else if (feature) this.map.easeTo({ center: positionOf(feature), zoom: zoom + 2 });
  }

  private nearest(point: gl.Point): gl.MapGeoJSONFeature | undefined {
    const around = new maplibre.Point(NEAR, NEAR);
    const features = this.featuresIn([point.sub(around), point.add(around)]);
    const distance = (feature: gl.MapGeoJSONFeature): number => this.map.project(positionOf(feature)).dist(point);
    return features.sort((one, other) => distance(one) - distance(other))[0];
  }

  /** Describes the feature under the pointer. */
  private describe(feature: gl.MapGeoJSONFeature | undefined): void {
    const canvas = this.map.getCanvas();
    canvas.style.cursor = this.picksPlaces ? 'crosshair' : feature ? 'pointer' : '';
    canvas.title = feature ? inWords(feature.properties) : '';
  }
}

/** The text shown next to the pointer. */
function inWords({ count, estimated, token, technology, status, ...stages }: Record<string, unknown>): string {
  if (count === undefined) return [nameOf(String(token)), technology, nameOf(String(status))].filter(Boolean).join(' · ');
  const format = estimated ? formatEstimate : formatNumber;
  const shares = TOKENS.filter((name) => stages[name]).map((name) => `${format(Number(stages[name]))} ${nameOf(name)}`);
  return `${nodesInWords(Number(count), Boolean(estimated))}: ${shares.join(', ')}`;
}
