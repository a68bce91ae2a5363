import { VectorTile } from '@mapbox/vector-tile';
import { PbfReader } from 'pbf';
import type { Response } from 'supertest';
import type { Client } from '../access-nodes/access-nodes.js';

export const VECTOR_TILE = 'application/vnd.mapbox-vector-tile';
export const EXTENT = 4_096;

/** A point in a tile. */
export interface Point {
  readonly x: number;
  readonly y: number;
  readonly properties: Readonly<Record<string, string | number | boolean>>;
}

export const tilePath = (z: number | string, x: number | string, y: number | string): string => `/v2/cov/tiles/${z}/${x}/${y}.mvt`;

/** Requests a tile and returns its bytes unchanged. */
export const getTile = (client: Client, path: string, query: Record<string, unknown> = {}): Promise<Response> =>
  client.get(path).query(query).buffer(true).parse(collect).then();

function collect(response: unknown, done: (error: Error | null, body: Buffer) => void): void {
  const chunks: Buffer[] = [];
  (response as NodeJS.ReadableStream)
    .on('data', (chunk: Buffer) => void chunks.push(chunk))
    .on('end', () => done(null, Buffer.concat(chunks)));
}

/** The points in a layer of a tile, decoded by the format authors' own library. */
export function pointsOf(answer: Response, name: 'nodes' | 'cells' = 'nodes'): Point[] {
  if (answer.status === 204) return [];
  expect([answer.status, answer.headers['content-type']]).toEqual([200, VECTOR_TILE]);
  const { layers } = new VectorTile(new PbfReader(answer.body as Buffer));
  expect(Object.keys(layers)).toEqual(['nodes', 'cells']);
  const layer = layers[name]!;
  expect([layer.version, layer.extent]).toEqual([2, EXTENT]);
  return Array.from({ length: layer.length }, (_, index) => {
    const feature = layer.feature(index);
    const rings = feature.loadGeometry();
    expect([feature.type, rings.map(({ length }) => length)]).toEqual([1, [1]]);
    const { x, y } = rings[0]![0]!;
    return { x, y, properties: feature.properties };
  });
}

export const readTile = async (client: Client, z: number, x: number, y: number, query: Record<string, unknown> = {}): Promise<Point[]> =>
  pointsOf(await getTile(client, tilePath(z, x, y), query));

/** The textbook formula for a position on the map: fractions of the square, from its north-west corner. */
export function mercator(latitude: number, longitude: number): { x: number; y: number } {
  const sine = Math.sin((latitude * Math.PI) / 180);
  return { x: longitude === 180 ? 0 : (longitude + 180) / 360, y: 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI) };
}

export function tileAround(z: number, latitude: number, longitude: number): [z: number, x: number, y: number] {
  const { x, y } = mercator(latitude, longitude);
  return [z, Math.floor(x * 2 ** z), Math.floor(y * 2 ** z)];
}

/** Adds up the counts of the points. */
export const total = (points: readonly Point[]): number =>
  points.reduce((sum, { properties }) => sum + ((properties['count'] as number | undefined) ?? 1), 0);

export const idsOf = (points: readonly Point[]): string[] => points.map(({ properties }) => properties['node_id'] as string);
