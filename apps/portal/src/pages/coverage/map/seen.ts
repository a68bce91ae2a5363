import type * as gl from 'maplibre-gl';
import { COUNTED } from './style/layers.js';
import { type Where, whereIn } from './style/streets.js';

/** What the map shows. */
export interface Seen {
  readonly count: number;
  readonly isEstimated: boolean;
  /** Where the map is, if it shows streets. */
  readonly where: Where | undefined;
}

export function seenIn(map: gl.Map, hasNodes: boolean, showsStreets: boolean): Seen {
  const features = hasNodes ? map.queryRenderedFeatures({ layers: COUNTED }) : [];
  const counts = features.map(({ properties }) => ('count' in properties ? Number(properties['count']) : 1));
  return {
    count: counts.reduce((sum, count) => sum + count, 0),
    isEstimated: features.some(({ properties }) => 'estimated' in properties),
    where: showsStreets ? whereIn(map) : undefined,
  };
}
