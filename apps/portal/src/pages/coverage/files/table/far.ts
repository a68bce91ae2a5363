import type { Place } from '../../access-node.js';
import type { Row } from './table-file.js';

/** Beyond this distance in kilometres from the middle of a file, a row is hardly meant. */
const FAR = 500;
/** Fewer places have no middle. */
const FEWEST = 3;

/** Where the columns with the position are; those that a file lacks are negative. */
export interface PlaceColumns {
  readonly latitude: number;
  readonly longitude: number;
  readonly center: number;
}

/** A row far from all others. */
export interface FarRow {
  readonly line: number;
  /** Whether it would be near the others with latitude and longitude exchanged. */
  readonly isSwapped: boolean;
}

/** The rows that lie far from the middle of all others. */
export function farRows(rows: readonly Row[], columns: PlaceColumns): readonly FarRow[] {
  const places = rows.flatMap(({ line, cells }) => {
    const place = placeIn(cells, columns);
    return isOnEarth(place) ? [{ line, place }] : [];
  });
  if (places.length < FEWEST) return [];
  const middle = {
    latitude: median(places.map(({ place }) => place.latitude)),
    longitude: median(places.map(({ place }) => place.longitude)),
  };
  const isFar = (place: Place): boolean => !isOnEarth(place) || kilometres(middle, place) > FAR;
  return places
    .filter(({ place }) => isFar(place))
    .map(({ line, place }) => ({ line, isSwapped: !isFar({ latitude: place.longitude, longitude: place.latitude }) }));
}

function placeIn(cells: readonly string[], { latitude, longitude, center }: PlaceColumns): Place {
  const degrees = (text = ''): number => Number(text.trim().replace(',', '.') || 'none');
  const [north, east] = center >= 0 ? (cells[center] ?? '').split(/,\s|;/) : [cells[latitude], cells[longitude]];
  return { latitude: degrees(north), longitude: degrees(east) };
}

const isOnEarth = ({ latitude, longitude }: Place): boolean => Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180;

const median = (values: number[]): number => values.sort((one, other) => one - other)[Math.floor(values.length / 2)]!;

/** The distance on a sphere. */
function kilometres(from: Place, to: Place): number {
  const radians = (degrees: number): number => (degrees * Math.PI) / 180;
  const half = (one: number, other: number): number => Math.sin(radians(other - one) / 2) ** 2;
  const a =
    half(from.latitude, to.latitude) +
    Math.cos(radians(from.latitude)) * Math.cos(radians(to.latitude)) * half(from.longitude, to.longitude);
  return 12_742 * Math.asin(Math.sqrt(a));
}
