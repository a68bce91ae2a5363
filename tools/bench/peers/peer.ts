import { openSync } from 'node:fs';
import { join, relative } from 'node:path';
import { Program, type ProgramOptions } from '@fibre/testing/processes';
import { WORKSPACE } from '../../workspace.js';
import type { BenchRequest } from '../requests.js';
import { BENCH_DIR } from '../service.js';

/** Where the programs of the peers are. */
export const PEERS_DIR = join(BENCH_DIR, 'peers');
const FROM_HERE = relative(WORKSPACE, PEERS_DIR);
export const goInstall = (program: string): string => `GOBIN=$PWD/${FROM_HERE} go install ${program}`;
export const npmInstall = (program: string): string => `npm install --prefix ${FROM_HERE} ${program}`;
/** What the service answers: the peers, which would give whole rows, are asked for no more. */
export const FIELDS = [
  ...['node_id', 'relation_id', 'collection', 'token', 'latitude', 'longitude', 'status', 'technology', 'customer_reference'],
  ...['country', 'address_id', 'lot_id', 'tenant', 'created_at', 'modified_at'],
].join();
/** Nodes that are searched, and how far off they are at the most, in metres. */
export const [FOUND, RADIUS] = [5, 100];

/** Clients of all works but the page, of which there are half as many. */
export const CONNECTIONS = 16;

export type Work = 'search' | 'box' | 'list' | 'read' | 'insert';
export type Row = Record<string, string | number | null>;
export type Place = [latitude: string, longitude: string];

/** How a peer is asked for each work; absent where it cannot do it. */
export interface Dialect {
  /** The nearest nodes. */
  search?: (place: Place) => BenchRequest;
  /** Any nodes of the box around the circle. */
  box?: (place: Place, most: number) => BenchRequest;
  /** The nodes of the tenant of one in the order of their ids, from that one on. */
  list: (from: Row, size: number) => BenchRequest;
  read: (id: string) => BenchRequest;
  insert?: (node: Row) => BenchRequest;
  /** Status of an insertion. */
  inserted?: number;
  rows: (body: string) => Row[];
}

/** What a peer is started on. */
export interface Site {
  databaseUrl: string;
  issuer: string;
  /** An access token of the issuer. */
  token: string;
}

export interface RunningPeer extends Dialect {
  url: string;
  /** Absent where it checks none. */
  token?: string;
  /** Its answer to a token that was tampered with. */
  refusal?: number;
  program: Program;
}

export interface Peer {
  title: string;
  /** Files that it takes, each with the command that brings it. */
  needs: Readonly<Record<string, string>>;
  /** Least ratio of requests per second, service to peer. */
  goals: Partial<Record<Work, number>>;
  /** Needs a database server with PostGIS. */
  postgis?: true;
  /** Make the database of the service one for the peer; may run again. */
  statements: readonly string[];
  start: (site: Site) => Promise<RunningPeer>;
}

/** Degrees of latitude that are no shorter than the radius anywhere. */
const HEIGHT = RADIUS / 110_500;

/** In degrees, with all of the circle in it. */
export function boxAround(place: Place): { south: number; north: number; west: number; east: number } {
  const [latitude, longitude] = place.map(Number) as [number, number];
  const width = HEIGHT / Math.cos((latitude * Math.PI) / 180);
  return { south: latitude - HEIGHT, north: latitude + HEIGHT, west: longitude - width, east: longitude + width };
}

const SQUARED = '(n.x - p.x) ^ 2 + (n.y - p.y) ^ 2 + (n.z - p.z) ^ 2';

/** The nearest nodes as a function of the database, with the index and the distance that the service has: $1 latitude, $2 longitude. */
export const NEAREST_NODES = `
  create or replace function nearest_nodes(latitude float8, longitude float8) returns setof access_node language sql stable as $$
    select n.*
    from (select 6378137.0 / sqrt(1 - 0.0066943799901413165 * sind($1) * sind($1)) as normal) as o
    cross join lateral (
      select normal * cosd($1) * cosd($2) as x, normal * cosd($1) * sind($2) as y, normal * (1 - 0.0066943799901413165) * sind($1) as z
    ) as p
    join access_node n on n.position <@ box(point($2 - ${HEIGHT} / cosd($1), $1 - ${HEIGHT}), point($2 + ${HEIGHT} / cosd($1), $1 + ${HEIGHT}))
    where n.collection = 'nodes' and ${SQUARED} <= ${RADIUS} ^ 2
    order by ${SQUARED}, n.node_id
    limit ${FOUND}
  $$`;

/** Starts the program of a peer, with its output in a file as that of the service. */
export const startProgram = (options: Omit<ProgramOptions, 'output'>): Promise<Program> =>
  new Program({ ...options, output: openSync(join(BENCH_DIR, `${options.name}.log`), 'w') }).ready();
