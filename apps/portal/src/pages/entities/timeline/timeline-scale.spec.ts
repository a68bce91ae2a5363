import { scaleOf, ticksOf } from './timeline-scale.js';

const at = Date.parse;
const ticks = (from: string, to: string, most: number, zone = 'Europe/Vienna') =>
  ticksOf({ from: at(from), to: at(to), x: Number }, zone, most).map((tick) => new Date(tick.at).toISOString());

describe('the scale of a timeline', () => {
  it('contains everything', () => {
    const scale = scaleOf([at('2026-03-01'), at('2026-01-01'), at('2026-02-01')], 1_000);
    expect(scale.x(scale.from)).toBe(0);
    expect(scale.x(at('2026-01-01'))).toBeGreaterThan(0);
    expect(scale.x(at('2026-03-01'))).toBeLessThan(1_000);
  });

  it('puts a single moment in the middle', () => {
    expect(scaleOf([at('2026-01-01')], 1_000).x(at('2026-01-01'))).toBe(500);
  });

  it('has a tick at the beginning of each month of the zone, in summer and winter time', () => {
    expect(ticks('2026-02-10T00:00Z', '2026-05-10T00:00Z', 4)).toEqual([
      '2026-02-28T23:00:00.000Z',
      '2026-03-31T22:00:00.000Z',
      '2026-04-30T22:00:00.000Z',
    ]);
  });

  it('has repeated hours and no skipped ones', () => {
    expect(ticks('2026-10-25T00:00Z', '2026-10-25T02:30Z', 4)).toEqual([
      '2026-10-25T00:00:00.000Z',
      '2026-10-25T01:00:00.000Z',
      '2026-10-25T02:00:00.000Z',
    ]);
  });

  it.each([1, 3, 6, 12])('never has many more than the %s that fit', (most) => {
    for (const days of [0.01, 0.3, 1, 9, 40, 400, 4_000, 40_000])
      expect(
        ticksOf({ from: at('2026-01-17'), to: at('2026-01-17') + days * 86_400_000, x: Number }, 'Europe/Vienna', most).length,
      ).toBeLessThanOrEqual(most + 1);
  });
});
