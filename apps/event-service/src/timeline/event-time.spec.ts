import { spawnSync } from 'node:child_process';
import { Temporal } from 'temporal-polyfill';
import { Timestamp } from '@fibre/dto';
import { isTimeZone, offsetAt } from './event-time.js';

describe('time zones', () => {
  test.each([
    'Europe/Vienna',
    'UTC',
    'Asia/Kolkata',
    'Asia/Calcutta',
    'Etc/GMT+5',
    'US/Eastern',
    'Europe/Kiev',
    'Europe/Kyiv',
    'America/Port-au-Prince',
    'Africa/Dar_es_Salaam',
    'EST5EDT',
    'NZ-CHAT',
    'GB',
    'GMT+0',
    'PRC',
    'America/Argentina/Buenos_Aires',
    'Antarctica/DumontDUrville',
  ])('%s is a time zone name', (name) => expect(isTimeZone(name)).toBe(true));

  test.each([
    'europe/vienna',
    'EUROPE/VIENNA',
    'Europe/vienna',
    'utc',
    'Utc',
    'etc/GMT+5',
    'us/eastern',
    '+01:00',
    '-05:00',
    'Z',
    'CEST',
    'IST',
    'PST',
    'Europe/Wien',
    'Mars/Base',
    'Europe/Vienna ',
    '',
    'SystemV/PST8PDT',
    'Systemv/PST8PDT',
    'Etc/Unknown',
    'US/Pacific-New',
    'Canada/East-Saskatchewan',
    null,
    1,
  ])('%p is not a time zone name', (name) => expect(isTimeZone(name)).toBe(false));

  test('accepts every name that the platform lists', () => {
    expect(Intl.supportedValuesOf('timeZone').filter((name) => !isTimeZone(name))).toEqual([]);
  });
});

describe('offsets compared with the system zoneinfo', () => {
  const ZONES = ['Europe/Vienna', 'America/New_York', 'Asia/Kolkata', 'Pacific/Chatham', 'Australia/Lord_Howe'];
  // In CI these tests are never skipped, so they fail there if zdump is missing.
  const hasZdump = process.env.CI === 'true' || spawnSync('zdump', ['--version']).error === undefined;
  if (!hasZdump) console.warn('SKIPPED: this machine has no zdump, so the time zones are not compared with its zoneinfo');

  (hasZdump ? test : test.skip).each(ZONES)('%s, on both sides of every transition from 2020 to 2030', (zone) => {
    const lines = spawnSync('zdump', ['-v', '-c', '2020,2031', zone], { encoding: 'utf8' }).stdout.trim().split('\n').map(readLine);
    const inRange = lines.filter((line) => line !== undefined);
    expect(inRange.length).toBe(zone === 'Asia/Kolkata' ? 0 : 11 * 2 * 2);
    for (const { utc, offset } of inRange) expect([utc, offsetAt(Temporal.Instant.from(utc), zone)]).toEqual([utc, offset]);
  });

  test('a zone without transitions always has the same offset', () => {
    const months = Array.from({ length: 11 * 12 }, (_, index) => Temporal.Instant.from('2020-01-15T00:00:00Z').add({ hours: index * 730 }));
    expect(new Set(months.map((instant) => offsetAt(instant, 'Asia/Kolkata')))).toEqual(new Set(['+05:30']));
  });

  test('a time in a repeated hour means two instants, and a time in a skipped hour means none', () => {
    const [first, second] = ['2026-10-25T02:30:00+02:00', '2026-10-25T02:30:00+01:00'].map((text) => Timestamp.parse(text)!);
    expect([offsetAt(first!.instant, 'Europe/Vienna'), offsetAt(second!.instant, 'Europe/Vienna')]).toEqual(['+02:00', '+01:00']);
    const skipped = ['2026-03-29T02:30:00+01:00', '2026-03-29T02:30:00+02:00'].map((text) => Timestamp.parse(text)!);
    expect(skipped.map(({ instant, offset }) => offsetAt(instant, 'Europe/Vienna') === offset)).toEqual([false, false]);
    // Lord Howe's clocks move by half an hour.
    expect(
      ['2026-04-04T14:59:59Z', '2026-04-04T15:00:00Z'].map((text) => offsetAt(Temporal.Instant.from(text), 'Australia/Lord_Howe')),
    ).toEqual(['+11:00', '+10:30']);
  });
});

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `Europe/Vienna  Sun Mar 29 00:59:59 2020 UT = Sun Mar 29 01:59:59 2020 CET isdst=0 gmtoff=3600` */
function readLine(line: string): { utc: string; offset: string } | undefined {
  const match = /\w{3} (\w{3}) +(\d+) (\d\d:\d\d:\d\d) (\d{4}) UTC? = .* gmtoff=(-?\d+)$/.exec(line);
  if (!match) return undefined;
  const [, month = '', day = '', time = '', year = '', seconds = ''] = match;
  const minutes = Math.abs(Number(seconds)) / 60;
  const two = (value: number): string => String(value).padStart(2, '0');
  return {
    utc: `${year}-${two(MONTHS.indexOf(month) + 1)}-${day.padStart(2, '0')}T${time}Z`,
    offset: `${seconds.startsWith('-') ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`,
  };
}
