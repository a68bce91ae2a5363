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
  /** Where that node is. */
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
    place: nearest && placeOf(nearest.center),
  };
}
