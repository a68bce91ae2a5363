import { type Random, seeded } from '../random.js';

export const TENANTS = ['ano.east', 'ano.west', 'ano.north', 'ano.south'];
/** The one whose nodes are listed. */
export const LISTED_TENANT = TENANTS[0]!;
/** The one that gets nodes while it is measured, and has none before. */
export const RECORDING_TENANT = 'ano.recording';

/** Where the towns are, in degrees. */
const [SOUTH, NORTH, WEST, EAST] = [46.4, 49, 9.5, 17.1];
const [SMALLEST, MEDIAN, LARGEST, SPREAD] = [20, 500, 40_000, 1.3];
/** The radius of a town grows with the root of its size, so that all are about as dense: some 1,100 nodes per km² in the middle. */
const METRES_PER_ROOT = 12;
const METRES_PER_DEGREE = 111_320;
const SEED = 20_260_101;

/** Nodes that one operator has in one place, under one relation. */
export interface Town {
  size: number;
  latitude: number;
  longitude: number;
  tenant: string;
  relationId: string;
}

/** Towns with `nodes` nodes altogether, many small ones and few large ones. */
export function towns(nodes: number): Town[] {
  const random = seeded(SEED);
  const all: Town[] = [];
  for (let left = nodes; left > 0; left -= all.at(-1)!.size) {
    const size = Math.round(MEDIAN * Math.exp(SPREAD * random.normal()));
    all.push({
      size: Math.min(left, LARGEST, Math.max(SMALLEST, size)),
      latitude: SOUTH + (NORTH - SOUTH) * random.uniform(),
      longitude: WEST + (EAST - WEST) * random.uniform(),
      tenant: random.pick(TENANTS),
      relationId: `00000000-0000-4000-8000-${String(all.length).padStart(12, '0')}`,
    });
  }
  return all;
}

/** A point in a town, denser towards its middle: latitude and longitude with six decimals. */
export function pointIn({ size, latitude, longitude }: Town, random: Random): [string, string] {
  const radius = (METRES_PER_ROOT * Math.sqrt(size)) / METRES_PER_DEGREE;
  const north = latitude + radius * random.normal();
  const east = longitude + (radius * random.normal()) / Math.cos((latitude * Math.PI) / 180);
  return [north.toFixed(6), east.toFixed(6)];
}

/** Points where somebody lives: a town is as likely as it is large. */
export function inhabitedPoints(nodes: number, count: number, seed: number): [string, string][] {
  const random = seeded(seed);
  const residents = towns(nodes).flatMap((town) => Array.from({ length: Math.ceil(town.size / SMALLEST) }, () => town));
  return Array.from({ length: count }, () => pointIn(random.pick(residents), random));
}
