import { earthCentred, type Ecef, groundMetres } from '../geography/geodesy.js';
import { type Candidate, nearest } from './nearest.js';

const ORIGIN = earthCentred(0, 0);
const straight = (position: Ecef): number => Math.hypot(position[0] - ORIGIN[0], position[1] - ORIGIN[1], position[2] - ORIGIN[2]);
const at = (node_id: string, latitude: number, longitude: number): Candidate => {
  const position = earthCentred(latitude, longitude);
  return { node_id, position, straight: straight(position) };
};
const ids = (ranked: { candidate: Candidate }[] | undefined): string[] | undefined => ranked?.map(({ candidate }) => candidate.node_id);

test('ranks by distance along the ground, ties by id, within radius and limit', () => {
  const candidates = [at('c', 0, 0.001), at('b', 0, 0.001), at('a', 0, 0.002), at('d', 0, 0.1)];
  expect(ids(nearest(ORIGIN, candidates, true, 10, 1_000))).toEqual(['b', 'c', 'a']);
  expect(ids(nearest(ORIGIN, candidates, true, 2, 100_000))).toEqual(['b', 'c']);
  expect(nearest(ORIGIN, [], true, 5, 100)).toEqual([]);
});

test('the distance along the ground decides, not the straight line', () => {
  // The ellipsoid curves more along the meridian than along the equator: the northern node is 3 mm farther, but nearer in a straight line.
  const east = at('east', 0, 0.7);
  const farther = groundMetres(ORIGIN, east.position) + 0.003;
  const latitude = 0.7 * (farther / groundMetres(ORIGIN, earthCentred(0.7, 0)));
  const north = at('north', latitude * (farther / groundMetres(ORIGIN, earthCentred(latitude, 0))), 0);
  expect(north.straight).toBeLessThan(east.straight);
  expect(ids(nearest(ORIGIN, [north, east], true, 2, 100_000))).toEqual(['east', 'north']);
});

test('asks for more if a node beyond the candidates might be nearer', () => {
  const ring = [at('a', 0, 0.5), at('b', 0, 0.5), at('c', 0, 0.5)];
  expect(nearest(ORIGIN, ring, false, 2, 100_000)).toBeUndefined();
  expect(ids(nearest(ORIGIN, [...ring, at('d', 0, 0.6)], false, 2, 100_000))).toEqual(['a', 'b']);
  expect(ids(nearest(ORIGIN, ring, true, 2, 100_000))).toEqual(['a', 'b']);
});

test('accepts fewer than the limit once the candidates reach the radius', () => {
  expect(ids(nearest(ORIGIN, [at('a', 0, 0.001), at('b', 0, 0.002)], false, 10, 150))).toEqual(['a']);
  expect(nearest(ORIGIN, [at('a', 0, 0.001)], false, 10, 150)).toBeUndefined();
});
