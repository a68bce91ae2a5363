import type { SearchedPlace } from '@fibre/client';
import { type Place, placeOf } from '../access-node.js';
import type { Offer } from './offer.js';

/** A row of a file of addresses, with what was found for it. */
export interface SearchedRow {
  /** The number of the row, without the header. */
  readonly row: number;
  /** What the file says about the address, besides its place. */
  readonly label: string;
  /** What may be promised at the nearest node, which may also be terminated; or that there is none, or that the row is wrong. */
  readonly state: Offer | 'terminated' | 'none' | 'faulty';
  readonly available_from?: string | undefined;
  /** The address of the nearest node, in its operator's words. */
  readonly address?: string | undefined;
  /** The stage of the nearest node. */
  readonly token?: string | undefined;
  /** Quality of the nearest node; empty if the file has ids of addresses, or no node is near. */
  readonly quality: string;
  readonly distance?: number | undefined;
  readonly tenant?: string | undefined;
  readonly error?: string | undefined;
  /** Where that node is. */
  readonly place?: Place | undefined;
  /** Where the address itself is, if the file says so. */
  readonly own?: Place | undefined;
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
    state: error !== undefined ? 'faulty' : nearest ? (nearest.offer ?? 'terminated') : 'none',
    available_from: nearest?.available_from,
    address: nearest?.address,
    token: nearest?.token,
    quality: nearest?.quality ?? '',
    distance: nearest?.distance,
    tenant: nearest?.tenant,
    error,
    place: nearest && placeOf(nearest.center),
    own: ownPlace(cells),
  };
}

/** The coordinates of a row, which may have decimal commas. */
function ownPlace(cells: Readonly<Record<string, unknown>>): Place | undefined {
  const [north, east] = typeof cells['center'] === 'string' ? cells['center'].split(', ') : [cells['latitude'], cells['longitude']];
  const [latitude, longitude] = [north, east].map((text) => Number(String(text ?? '').replace(',', '.') || 'none')) as [number, number];
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? { latitude, longitude } : undefined;
}
