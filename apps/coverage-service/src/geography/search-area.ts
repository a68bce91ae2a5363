import { earthCentred, type Ecef } from './geodesy.js';

/** Where a search is centred. */
export interface Origin {
  /** Degrees. */
  readonly latitude: number;
  readonly longitude: number;
  readonly position: Ecef;
}

/** @param latitude degrees @param longitude degrees */
export const originAt = (latitude: number, longitude: number): Origin => ({
  latitude,
  longitude,
  position: earthCentred(latitude, longitude),
});

/** Metres of a degree of latitude, less than anywhere on WGS84 (110,574 at the equator): boxes may be larger than the circle, never smaller. */
const METRES_PER_DEGREE = 110_000;
/** Degrees added on every side against the rounding of sines; a tenth of a millimetre. */
const MARGIN = 1e-9;
const RADIANS = Math.PI / 180;

/** An area of degrees, in literals of PostgreSQL whose x is the longitude and whose y is the latitude. */
export interface SearchArea {
  /** Of type `box`. */
  readonly box: string;
  /** The origin as seen from the box: its longitude goes on beyond 180 where the box lies on the other side of the date line. Of type `point`. */
  readonly center: string;
}

/**
 * Areas that hold the circle of a radius around a point: one, or two where it crosses the date line. Around a pole it is
 * every longitude.
 *
 * @param metres up to some hundred kilometres
 */
export function areasAround({ latitude, longitude }: Origin, metres: number): SearchArea[] {
  const height = metres / METRES_PER_DEGREE + MARGIN;
  const [south, north] = [Math.max(-90, latitude - height), Math.min(90, latitude + height)];
  const area = (west: number, east: number, center = longitude): SearchArea => ({
    box: `(${west},${south}),(${east},${north})`,
    center: `(${center},${latitude})`,
  });
  if (north === 90 || south === -90) return [area(-180, 180)];

  // Where the meridians touch the circle it is wider than at the latitude of its centre.
  const width = Math.asin(Math.min(1, Math.sin(height * RADIANS) / Math.cos(latitude * RADIANS))) / RADIANS + MARGIN;
  const [west, east] = [longitude - width, longitude + width];
  if (west < -180) return [area(-180, east), area(west + 360, 180, longitude + 360)];
  if (east > 180) return [area(west, 180), area(-180, east - 360, longitude - 360)];
  return [area(west, east)];
}
