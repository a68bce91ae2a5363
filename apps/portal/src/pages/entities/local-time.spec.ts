import { momentsAt } from './local-time.js';

describe('a local time in a zone', () => {
  it.each([
    ['2026-02-01T16:00', 'Europe/Vienna', ['2026-02-01T16:00:00+01:00']],
    ['2026-07-01T16:00:30.125', 'Europe/Vienna', ['2026-07-01T16:00:30.125+02:00']],
    // This hour occurs twice, from its first instant to its last, and the next one never.
    ['2026-10-25T02:00', 'Europe/Vienna', ['2026-10-25T02:00:00+02:00', '2026-10-25T02:00:00+01:00']],
    ['2026-10-25T02:30', 'Europe/Vienna', ['2026-10-25T02:30:00+02:00', '2026-10-25T02:30:00+01:00']],
    ['2026-10-25T03:00', 'Europe/Vienna', ['2026-10-25T03:00:00+01:00']],
    ['2026-03-29T02:30', 'Europe/Vienna', []],
    ['2026-03-29T03:00', 'Europe/Vienna', ['2026-03-29T03:00:00+02:00']],
    ['2026-01-01T00:00', 'Asia/Kathmandu', ['2026-01-01T00:00:00+05:45']],
    ['2026-01-01T00:00', 'UTC', ['2026-01-01T00:00:00+00:00']],
  ])('%s in %s is %j', (local, zone, moments) => {
    expect(momentsAt(local, zone)).toEqual(moments);
  });

  it.each([
    ['', 'Europe/Vienna'],
    ['2026-02-01T16:00', 'Europe/Atlantis'],
  ])('%s in %s is no moment', (local, zone) => {
    expect(momentsAt(local, zone)).toBeUndefined();
  });
});
