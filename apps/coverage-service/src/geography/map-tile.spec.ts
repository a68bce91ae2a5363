import fc from 'fast-check';
import { isOnMap, keysIn, MAX_ZOOM, placeIn } from './map-tile.js';

const tiles = fc
  .integer({ min: 0, max: MAX_ZOOM })
  .chain((z) => fc.record({ z: fc.constant(z), x: fc.integer({ min: 0, max: 2 ** z - 1 }), y: fc.integer({ min: 0, max: 2 ** z - 1 }) }));

test('the tile of the whole world covers every key', () => {
  expect(keysIn({ z: 0, x: 0, y: 0 })).toEqual({ from: '0', to: String(2n ** 62n), cellShift: 54 });
});

test('the quarters of a tile divide its keys in Z-order', () => {
  fc.assert(
    fc.property(tiles, ({ z, x, y }) => {
      const whole = keysIn({ z, x, y });
      const quarters = [0, 1, 2, 3].map((quarter) => keysIn({ z: z + 1, x: 2 * x + (quarter & 1), y: 2 * y + (quarter >> 1) }));
      expect(quarters.map(({ from }) => from)).toEqual([whole.from, ...quarters.slice(0, 3).map(({ to }) => to)]);
      expect(quarters[3]!.to).toBe(whole.to);
      expect(quarters[0]!.cellShift).toBe(whole.cellShift - 2);
    }),
  );
});

test('the deepest tile still has keys for all its cells', () => {
  expect(keysIn({ z: MAX_ZOOM, x: 0, y: 0 }).cellShift).toBeGreaterThanOrEqual(0);
});

test.each([
  [0, 0, 0, true],
  [22, 2 ** 22 - 1, 2 ** 22 - 1, true],
  [23, 0, 0, false],
  [1, 2, 0, false],
  [1, 0, 2, false],
  [-1, 0, 0, false],
  [NaN, 0, 0, false],
  [0.5, 0, 0, false],
])('%d/%d/%d is on the map: %s', (z, x, y, expected) => {
  expect(isOnMap({ z, x, y })).toBe(expected);
});

test('a point on the edge of a tile is inside the tile', () => {
  expect(placeIn({ z: 0, x: 0, y: 0 }, 0, 0, 4_096)).toEqual([2_048, 2_048]);
  expect(placeIn({ z: 0, x: 0, y: 0 }, 180, -85.0511287798, 4_096)).toEqual([0, 4_095]);
  expect(placeIn({ z: 0, x: 0, y: 0 }, -180, 85.0511287799, 4_096)).toEqual([0, 0]);
  expect(placeIn({ z: 1, x: 0, y: 0 }, 0, 0, 4_096)).toEqual([4_095, 4_095]);
});
