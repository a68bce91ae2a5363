/** Bounding box in decimal degrees. If it crosses the date line, its west is greater than its east. */
export interface ServiceArea {
  readonly south: number;
  readonly west: number;
  readonly north: number;
  readonly east: number;
}

/**
 * Parses `south,west,north,east`.
 *
 * @throws Error that says what is wrong
 */
export function parseServiceArea(text: string): ServiceArea {
  const degrees = text.split(',').map((part) => (/^\s*-?\d+(\.\d+)?\s*$/.test(part) ? Number(part) : NaN));
  const [south = NaN, west = NaN, north = NaN, east = NaN] = degrees;
  const latitudes = south >= -90 && south < north && north <= 90;
  const longitudes = [west, east].every((longitude) => longitude >= -180 && longitude <= 180);
  if (degrees.length !== 4 || !latitudes || !longitudes) throw new Error('must be south,west,north,east in decimal degrees');
  return { south, west, north, east };
}

/** @returns what is wrong with a center outside the area, and a hint if swapping its numbers would fix it */
export function outsideOf(
  area: ServiceArea,
  { latitude, longitude }: Readonly<Record<'latitude' | 'longitude', string>>,
): { detail: string; hint?: string } | undefined {
  const [y, x] = [Number(latitude), Number(longitude)];
  if (contains(area, y, x)) return undefined;
  const detail = `is outside the service area (latitude ${area.south} to ${area.north}, longitude ${area.west} to ${area.east})`;
  return contains(area, x, y) ? { detail, hint: 'Are latitude and longitude swapped? The latitude comes first.' } : { detail };
}

function contains({ south, west, north, east }: ServiceArea, latitude: number, longitude: number): boolean {
  const between = west <= east ? longitude >= west && longitude <= east : longitude >= west || longitude <= east;
  return latitude >= south && latitude <= north && between;
}
