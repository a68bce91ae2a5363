import { earthCentred, groundMetres, leastGroundMetres } from './geodesy.js';

test('places the poles and the equator as WGS84 does', () => {
  expect(earthCentred(0, 0)).toEqual([6_378_137, 0, 0]);
  expect(earthCentred(90, 0)[2]).toBeCloseTo(6_356_752.314245, 6);
  expect(earthCentred(0, 90)[1]).toBeCloseTo(6_378_137, 6);
});

test('the distance from a point to itself is zero, however its coordinates are written', () => {
  expect(groundMetres(earthCentred(48.2, 16.3), earthCentred(48.2, 16.3))).toBe(0);
  expect(groundMetres(earthCentred(10, 180), earthCentred(10, -180))).toBeLessThan(1e-6);
  expect(groundMetres(earthCentred(90, 10), earthCentred(90, -170))).toBeLessThan(1e-6);
});

// Published WGS84 lengths of a degree: along the equator, and along the meridian at the equator and at the pole.
test.each([
  [0, 0, 0, 0.5, 111_319.490793 / 2],
  [-0.25, 0, 0.25, 0, 110_574.275822 / 2],
  [89.5, 0, 90, 0, 55_846.967],
])('from %d, %d to %d, %d is %d m', (latitude, longitude, toLatitude, toLongitude, metres) => {
  expect(Math.abs(groundMetres(earthCentred(latitude, longitude), earthCentred(toLatitude, toLongitude)) - metres)).toBeLessThan(0.01);
});

test('the distance is symmetric, and never below the lower bound', () => {
  type Place = [latitude: number, longitude: number];
  const lines: [Place, Place][] = [
    [
      [48, 16],
      [48.5, 16.7],
    ],
    [
      [0, 179.9],
      [0.3, -179.8],
    ],
    [
      [89.9, 0],
      [89.8, 120],
    ],
    [
      [-60, 10],
      [-60.5, 10],
    ],
  ];
  for (const [from, to] of lines) {
    const [a, b] = [earthCentred(...from), earthCentred(...to)];
    expect(groundMetres(a, b)).toBeCloseTo(groundMetres(b, a), 9);
    expect(groundMetres(a, b)).toBeGreaterThanOrEqual(leastGroundMetres(Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2])) - 1e-6);
  }
});
