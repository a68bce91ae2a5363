import { daysBetween, rounded } from './days.js';

const VIENNA = 'Europe/Vienna';

test.each([
  ['a month with a day of 25 hours', '2026-09-30T22:00:00Z', '2026-10-31T23:00:00Z', 31],
  ['a month with a day of 23 hours', '2026-02-28T23:00:00Z', '2026-03-31T22:00:00Z', 31],
  ['half a day', '2026-09-30T22:00:00Z', '2026-10-01T10:00:00Z', 0.5],
  ['the day on which clocks are turned back', '2026-10-24T22:00:00Z', '2026-10-25T23:00:00Z', 1],
  ['half of that day', '2026-10-24T22:00:00Z', '2026-10-25T10:30:00Z', 0.5],
  ['days before 1970', '1969-12-30T23:00:00Z', '1970-01-01T11:00:00Z', 1.5],
])('counts local days: %s', (_name, from, to, days) => {
  expect(daysBetween(from, to, VIENNA)).toBeCloseTo(days, 10);
});

test('days of another zone', () => {
  expect(daysBetween('2026-10-01T00:00:00Z', '2026-11-01T00:00:00Z', 'UTC')).toBe(31);
});

test('a sum is rounded to two decimals', () => {
  expect(rounded(1 / 3 + 1 / 3)).toBe(0.67);
});
