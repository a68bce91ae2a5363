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

/**
 * Boxes of degrees that hold the circle of a radius around a point: one, or two where it crosses the date line. Around a
 * pole it is every longitude.
 *
 * @param metres up to some hundred kilometres
 * @returns literals of PostgreSQL's type `box`, x the longitude and y the latitude
 */
export function boxesAround({ latitude, longitude }: Origin, metres: number): string[] {
  const height = metres / METRES_PER_DEGREE + MARGIN;
  const [south, north] = [Math.max(-90, latitude - height), Math.min(90, latitude + height)];
  const box = (west: number, east: number): string => `(${west},${south}),(${east},${north})`;
  if (north === 90 || south === -90) return [box(-180, 180)];

  // Where the meridians touch the circle it is wider than at the latitude of its centre.
  const width = Math.asin(Math.min(1, Math.sin(height * RADIANS) / Math.cos(latitude * RADIANS))) / RADIANS + MARGIN;
  const [west, east] = [longitude - width, longitude + width];
  if (west < -180) return [box(-180, east), box(west + 360, 180)];
  if (east > 180) return [box(west, 180), box(-180, east - 360)];
  return [box(west, east)];
}
