import { earthCentred, type Ecef } from './geodesy.js';

/** Center of a search. */
export interface Origin {
  /** Degrees. */
  readonly latitude: number;
  readonly longitude: number;
  readonly position: Ecef;
}

/** @param latitude in degrees @param longitude in degrees */
export const originAt = (latitude: number, longitude: number): Origin => ({
  latitude,
  longitude,
  position: earthCentred(latitude, longitude),
});

/** Metres per degree of latitude, below the minimum on WGS84 (110,574 at the equator), so that no box is smaller than its circle. */
const METRES_PER_DEGREE = 110_000;
/** Degrees added on every side to allow for rounding errors in sines: a tenth of a millimetre. */
const MARGIN = 1e-9;
const RADIANS = Math.PI / 180;

/** An area in degrees as PostgreSQL literals, with the longitude as x and the latitude as y. */
export interface SearchArea {
  /** Of type `box`. */
  readonly box: string;
  /** The center as seen from the box, of type `point`: its longitude is beyond ±180 if the box is on the other side of the date line. */
  readonly center: string;
}

/**
 * Boxes that contain a circle: one, or two if the circle crosses the date line. Around a pole, one box spans every longitude.
 *
 * @param metres up to a few hundred kilometres
 */
export function areasAround({ latitude, longitude }: Origin, metres: number): SearchArea[] {
  const height = metres / METRES_PER_DEGREE + MARGIN;
  const [south, north] = [Math.max(-90, latitude - height), Math.min(90, latitude + height)];
  const area = (west: number, east: number, center = longitude): SearchArea => ({
    box: `(${west},${south}),(${east},${north})`,
    center: `(${center},${latitude})`,
  });
  if (north === 90 || south === -90) return [area(-180, 180)];

  // The circle is widest where meridians touch it, not at the latitude of its center.
  const width = Math.asin(Math.min(1, Math.sin(height * RADIANS) / Math.cos(latitude * RADIANS))) / RADIANS + MARGIN;
  const [west, east] = [longitude - width, longitude + width];
  if (west < -180) return [area(-180, east), area(west + 360, 180, longitude + 360)];
  if (east > 180) return [area(west, 180), area(-180, east - 360, longitude - 360)];
  return [area(west, east)];
}
