import { Center } from '../geography/center.js';
import type { Fields, RowFault } from './sent-row.js';

export const DEGREES = ['latitude', 'longitude'] as const;
export const PLACE_COLUMNS: readonly string[] = ['center', ...DEGREES];

/** The columns of a file that have latitude and longitude. */
export type DegreeColumns = Readonly<Record<(typeof DEGREES)[number], string>>;

/** GIS programs call the longitude X and the latitude Y, in either case, and so may a file without other positions. */
export const X_AND_Y = ['X', 'Y', 'x', 'y'] as const;

/** The columns X and Y, if they are the position. */
export function xyColumns(names: readonly string[]): DegreeColumns | undefined {
  if (names.some((name) => PLACE_COLUMNS.includes(name))) return undefined;
  const [longitude, latitude] = ['X', 'Y'].map((letter) => names.find((name) => name === letter || name === letter.toLowerCase()));
  return longitude !== undefined && latitude !== undefined ? { latitude, longitude } : undefined;
}

const DECIMAL_DEGREES = /^-?\d{1,3}(\.\d+)?$/;
const TWO_PLACES: RowFault = { column: 'center', detail: 'cannot be combined with latitude and longitude' };

/** Says what is wrong with the place columns of a table. @param besides what else may say where a row is */
export function placeColumnFaults(names: readonly string[], besides = ''): RowFault[] {
  const degrees = DEGREES.filter((column) => names.includes(column));
  if (names.includes('center')) return degrees.length > 0 ? [TWO_PLACES] : [];
  if (degrees.length === 2) return [];
  const column = degrees.length === 0 ? 'center' : degrees[0] === 'latitude' ? 'longitude' : 'latitude';
  return [{ column, detail: `is missing; use center, or latitude and longitude${besides}` }];
}

/** Sets the center from latitude and longitude. */
export function addCenter(fields: Fields, latitude: unknown, longitude: unknown): RowFault[] {
  if (fields['center'] != null) return [TWO_PLACES];
  for (const [column, value] of Object.entries({ latitude, longitude })) {
    if (value == null || value === '') return [{ column, detail: 'is required' }];
    const isDecimal = typeof value === 'string' ? DECIMAL_DEGREES.test(value) : Number.isFinite(value);
    if (!isDecimal) return [{ column, detail: 'must be decimal degrees, such as 48.208555' }];
  }
  const center = Center.rounded(Number(latitude), Number(longitude));
  fields['center'] = center;
  return center instanceof Center ? [] : [{ column: center.axis, detail: center.detail }];
}

/** The place of a row, or what is wrong with it. */
export function placeOf(fields: Fields): Center | RowFault {
  const { center, latitude, longitude } = fields;
  const place: Fields = { center };
  if (latitude !== undefined || longitude !== undefined) return addCenter(place, latitude, longitude)[0] ?? (place['center'] as Center);
  if (center == null) return { detail: 'has no place; center, or latitude and longitude, is required' };
  const parsed = Center.parse(center);
  return parsed instanceof Center ? parsed : { column: 'center', detail: parsed };
}
