import { addressWith } from '../../../hooks/use-filters.js';
import type { Place } from '../access-node.js';

/** The map position saved in the URL. */
export function viewOfAddress(): { zoom: number; latitude: number; longitude: number } | undefined {
  const [zoom = NaN, latitude = NaN, longitude = NaN] = (new URLSearchParams(location.search).get('view') ?? '').split('/').map(Number);
  const isPlace = zoom >= 0 && zoom <= 22 && Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180;
  return isPlace ? { zoom, latitude, longitude } : undefined;
}

let kept: string | undefined;

/** Whether the map has saved this position itself; any other one comes from a link, which the map follows. */
export const isKeptView = (view: string | undefined): boolean => view === kept;

/** Saves the position without rendering, because the map moves often and nothing else depends on its position. */
export function keepView(zoom: number, { latitude, longitude }: Place): void {
  kept = `${zoom.toFixed(2)}/${latitude.toFixed(5)}/${longitude.toFixed(5)}`;
  history.replaceState(history.state, '', addressWith({ view: kept }));
}
