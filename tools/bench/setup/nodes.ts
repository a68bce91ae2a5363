import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { from as copyFrom } from 'pg-copy-streams';
import { v7 as uuidv7 } from 'uuid';
import type { Dataset } from './database.js';

export const TENANTS = ['ano.east', 'ano.west', 'ano.north', 'ano.south'] as const;
/** The tenant whose nodes are listed. */
export const LISTED_TENANT = TENANTS[0];

/** Area of the towns, in degrees. */
const BOUNDS = { south: 46.4, north: 49, west: 9.5, east: 17.1 };
const TOWN_SIZE = { smallest: 20, median: 500, largest: 40_000, spread: 1.3 };
/** A town's radius grows with the square root of its size, so all towns have the same density: about 1,100 nodes per km² in the middle. */
const METRES_PER_ROOT = 12;
const METRES_PER_DEGREE = 111_320;
const POINTS = 20_000;
const START_OF_TIME = Date.UTC(2026, 0, 1);

/** Pseudo-random numbers that are the same in every run. */
interface Random {
  /** Uniform in [0, 1). */
  uniform: () => number;
  /** Standard normal. */
  normal: () => number;
  pick: <T>(list: readonly T[]) => T;
}

/** Mulberry32 (public domain), with Box-Muller for normally distributed numbers. */
function seeded(seed: number): Random {
  let state = seed >>> 0;
  const uniform = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    uniform,
    normal: () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform()),
    pick: (list) => list[Math.floor(uniform() * list.length)]!,
  };
}

/** Nodes of one operator in one place, under one relation. */
interface Town {
  size: number;
  latitude: number;
  longitude: number;
  tenant: string;
  relationId: string;
}

/** Towns with `nodes` nodes in total, many of them small and a few large. */
function towns(nodes: number): Town[] {
  const random = seeded(20_260_101);
  const all: Town[] = [];
  for (let left = nodes; left > 0; left -= all.at(-1)!.size) {
    const size = Math.round(TOWN_SIZE.median * Math.exp(TOWN_SIZE.spread * random.normal()));
    all.push({
      size: Math.min(left, TOWN_SIZE.largest, Math.max(TOWN_SIZE.smallest, size)),
      latitude: BOUNDS.south + (BOUNDS.north - BOUNDS.south) * random.uniform(),
      longitude: BOUNDS.west + (BOUNDS.east - BOUNDS.west) * random.uniform(),
      tenant: random.pick(TENANTS),
      relationId: `00000000-0000-4000-8000-${String(all.length).padStart(12, '0')}`,
    });
  }
  return all;
}

/** A point in a town, denser towards its middle: latitude and longitude with six decimals. */
function pointIn({ size, latitude, longitude }: Town, random: Random): [string, string] {
  const radius = (METRES_PER_ROOT * Math.sqrt(size)) / METRES_PER_DEGREE;
  const north = latitude + radius * random.normal();
  const east = longitude + (radius * random.normal()) / Math.cos((latitude * Math.PI) / 180);
  return [north.toFixed(6), east.toFixed(6)];
}

/** Points where people live; points in large towns are more likely. */
export function inhabitedPoints(nodes: number): [latitude: string, longitude: string][] {
  const random = seeded(99);
  const residents = towns(nodes).flatMap((town) => Array.from({ length: Math.ceil(town.size / TOWN_SIZE.smallest) }, () => town));
  return Array.from({ length: POINTS }, () => pointIn(random.pick(residents), random));
}

const COLUMNS = 'relation_id,token,latitude,longitude,status,technology,country,address_id,lot_id,customer_reference';
const COPY_NODES = `copy access_node (node_id,tenant,collection,created_at,modified_at,${COLUMNS}) from stdin`;

/**
 * Nodes in the text format of COPY, town by town.
 *
 * @param one tenant that owns all nodes, all in production; by default there are several tenants
 */
function* copyText(nodes: number, one?: string): Generator<string> {
  const [random, ids] = [seeded(7), seeded(11)];
  let count = 0;
  const line = (town: Town): string => {
    const msecs = START_OF_TIME + count++;
    const place = pointIn(town, random);
    const token = random.pick(['operation', 'operation', 'operation', 'construction', 'planned']);
    const status = random.pick(['active', 'active', 'active', 'suspended']);
    const lot = random.uniform() < 0.5 ? `LOT ${count}` : '\\N';
    const technology = random.pick(['ftth', 'ftth', 'fttb', '\\N']);
    const collection = random.uniform() < 0.95 || one ? 'nodes' : 'prenodes';
    const id = uuidv7({ msecs, seq: 0, random: Uint8Array.from({ length: 16 }, () => Math.floor(ids.uniform() * 256)) });
    const created = new Date(msecs).toISOString();
    const values = [town.relationId, token, ...place, status, technology, 'AT', `AT-${1_000_000 + count}`, lot, `CAN-${count}`];
    return `${[id, one ?? town.tenant, collection, created, created, ...values].join('\t')}\n`;
  };
  for (const town of towns(nodes)) yield Array.from({ length: town.size }, () => line(town)).join('');
}

export const nodesDataset = (nodes: number, oneTenant = false): Dataset => ({
  service: 'coverage-service',
  name: `${oneTenant ? 'one_tenant' : 'nodes'}_${nodes}_v3`,
  records: nodes,
  tables: ['access_node'],
  fill: (client) => pipeline(Readable.from(copyText(nodes, oneTenant ? LISTED_TENANT : undefined)), client.query(copyFrom(COPY_NODES))),
});
