import type { Feature, FeatureCollection, Geometry, Position } from 'geojson';

/**
 * Makes the rings of land continue beyond 180 degrees where they cross the antimeridian, instead of running back across the whole map. A
 * ring around a pole is closed through the pole. MapLibre wraps whatever lies beyond 180 degrees (RFC 7946 section 3.1.9 would split it).
 */
export function unrolled(land: Feature | FeatureCollection): FeatureCollection {
  const features = land.type === 'Feature' ? [land] : land.features;
  return { type: 'FeatureCollection', features: features.map((one) => ({ ...one, geometry: unrolledGeometry(one.geometry) })) };
}

function unrolledGeometry(geometry: Geometry): Geometry {
  if (geometry.type === 'Polygon') return { ...geometry, coordinates: geometry.coordinates.map(unrolledRing) };
  if (geometry.type !== 'MultiPolygon') return geometry;
  return { ...geometry, coordinates: geometry.coordinates.map((rings) => rings.map(unrolledRing)) };
}

function unrolledRing(ring: Position[]): Position[] {
  let turns = 0;
  const positions = ring.map(([x = 0, y = 0], index): Position => {
    const step = x - (ring[index - 1]?.[0] ?? x);
    if (Math.abs(step) > 180) turns -= Math.sign(step);
    return [x + turns * 360, y];
  });
  if (turns === 0) return positions;
  const [first, last] = [positions[0]!, positions.at(-1)!];
  const pole = first[1]! < 0 ? -90 : 90;
  return [...positions, [last[0]!, pole], [first[0]!, pole], first];
}
