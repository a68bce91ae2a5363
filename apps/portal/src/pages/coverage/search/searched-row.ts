import type { SearchedPlace } from '@fibre/client';
import { type Place, placeOf } from '../access-node.js';

/** A row of a file of addresses, with what was found for it. */
export interface SearchedRow {
  /** The number of the row, without the header. */
  readonly row: number;
  /** What the file says about the address, besides its place. */
  readonly label: string;
  readonly state: 'covered' | 'none' | 'faulty';
  /** Quality of the nearest node; empty if the file has ids of addresses, or no node is near. */
  readonly quality: string;
  readonly distance?: number | undefined;
  readonly tenant?: string | undefined;
  readonly error?: string | undefined;
  /** Where the address is, if its row says so, otherwise where its node is. */
  readonly place?: Place | undefined;
}

const COORDINATES = ['center', 'latitude', 'longitude', 'geometry', 'type'];
/** Number of cells that identify an address. */
const LABELS = 3;

export function searchedRow({ input, results, error }: SearchedPlace, row: number): SearchedRow {
  const nearest = results?.[0];
  // The properties of a GeoJSON feature are its cells.
  const cells = { ...input, ...(input['properties'] as object | undefined), properties: undefined };
  const words = Object.entries(cells).filter(([name, value]) => !COORDINATES.includes(name) && ['string', 'number'].includes(typeof value));
  return {
    row,
    label: words
      .map(([, value]) => String(value).trim())
      .filter(Boolean)
      .slice(0, LABELS)
      .join(', '),
    state: error !== undefined ? 'faulty' : nearest ? 'covered' : 'none',
    quality: nearest?.quality ?? '',
    distance: nearest?.distance,
    tenant: nearest?.tenant,
    error,
    place: placeOfRow(input) ?? (nearest && placeOf(nearest.center)),
  };
}

/** The place in a row; `undefined` if there is none, or none that is a number. */
function placeOfRow({ center, latitude, longitude, geometry }: Readonly<Record<string, unknown>>): Place | undefined {
  const [x, y] = (geometry as { coordinates?: number[] } | undefined)?.coordinates ?? [];
  const degrees = (value: unknown): number => {
    if (typeof value !== 'string') return typeof value === 'number' ? value : NaN;
    return value.trim() === '' ? NaN : Number(value.replace(',', '.'));
  };
  const place = typeof center === 'string' ? placeOf(center) : { latitude: degrees(latitude ?? y), longitude: degrees(longitude ?? x) };
  return Math.abs(place.latitude) <= 90 && Math.abs(place.longitude) <= 180 ? place : undefined;
}
