import { scaleOf, ticksOf } from './timeline-scale.js';

const at = Date.parse;

test('a scale contains all moments', () => {
  const scale = scaleOf([at('2026-03-01'), at('2026-01-01'), at('2026-02-01')], 1_000);
  expect(scale.x(scale.from)).toBe(0);
  expect(scale.x(at('2026-01-01'))).toBeGreaterThan(0);
  expect(scale.x(at('2026-03-01'))).toBeLessThan(1_000);
});

test('a single moment is in the middle', () => {
  expect(scaleOf([at('2026-01-01')], 1_000).x(at('2026-01-01'))).toBe(500);
});

test.each([
  [0.01, 'time'],
  [0.3, 'time'],
  [9, 'day'],
  [400, 'month'],
  [4_000, 'year'],
  [400_000, 'year'],
])('ticks within %s days differ by %s, and at most one does not fit', (days, unit) => {
  for (const most of [3, 6, 12]) {
    const from = new Date(2026, 0, 17).getTime();
    const found = ticksOf({ from, to: from + days * 86_400_000, x: Number }, most);
    expect(found.ticks.length).toBeLessThanOrEqual(most + 1);
    if (most === 12) expect(found.unit).toBe(unit);
  }
});
