import { areasAround, originAt, type SearchArea } from './search-area.js';

const numbers = ({ box }: SearchArea): number[] => (box.match(/-?[\d.]+(?:e-?\d+)?/g) ?? []).map(Number);

test('a box contains the circle and little more', () => {
  const [box, ...others] = areasAround(originAt(48, 16), 1_000);
  expect(others).toEqual([]);
  const [west, south, east, north] = numbers(box!) as [number, number, number, number];
  expect(south).toBeCloseTo(48 - 1_000 / 110_000, 6);
  expect(north).toBeCloseTo(48 + 1_000 / 110_000, 6);
  // Here a degree of longitude is 74.6 km.
  expect(16 - west).toBeGreaterThan(1_000 / 74_700);
  expect(east - 16).toBeLessThan(1.02 * (1_000 / 74_600));
});

test.each([
  [0, 179.999, 1_000],
  [0, -179.999, 1_000],
  [-17, 180, 100_000],
])('a circle around %d, %d crosses the date line and becomes two boxes that do not overlap', (latitude, longitude, metres) => {
  const [western, eastern] = areasAround(originAt(latitude, longitude), metres)
    .map(numbers)
    .sort((a, b) => a[0]! - b[0]!);
  expect(western![0]).toBe(-180);
  expect(eastern![2]).toBe(180);
  expect(western![2]).toBeLessThan(eastern![0]!);
});

test.each([
  [89.999, 10, 1_000],
  [-90, 0, 1],
])('the box around %d, %d contains a pole and every longitude', (latitude, longitude, metres) => {
  const [[west, , east] = []] = areasAround(originAt(latitude, longitude), metres).map(numbers);
  expect([west, east]).toEqual([-180, 180]);
});
