import type { ServiceArea } from '../settings/service-area.js';
import type { Center } from './center.js';

/** @returns what is wrong with a center outside the area, and a hint if swapping its numbers would fix it */
export function outsideOf(area: ServiceArea, { latitude, longitude }: Center): { detail: string; hint?: string } | undefined {
  const [y, x] = [Number(latitude), Number(longitude)];
  if (contains(area, y, x)) return undefined;
  const detail = `is outside the service area (latitude ${area.south} to ${area.north}, longitude ${area.west} to ${area.east})`;
  return contains(area, x, y) ? { detail, hint: 'Are latitude and longitude swapped? The latitude comes first.' } : { detail };
}

function contains({ south, west, north, east }: ServiceArea, latitude: number, longitude: number): boolean {
  const between = west <= east ? longitude >= west && longitude <= east : longitude >= west || longitude <= east;
  return latitude >= south && latitude <= north && between;
}
