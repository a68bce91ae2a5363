import { isCalendarDate, precisionFault, Timestamp } from './timestamp.js';

test.each([
  ['2026-02-01T16:00:14.305+00:00', '2026-02-01T16:00:14.305Z'],
  ['2026-02-01T16:00:14Z', '2026-02-01T16:00:14Z'],
  ['2026-02-01T16:00:14.123456+01:00', '2026-02-01T15:00:14.123456Z'],
  ['2026-02-01T16:00:14.1230000+01:00', '2026-02-01T15:00:14.123Z'],
  ['2026-02-01T16:00:14.123456000Z', '2026-02-01T16:00:14.123456Z'],
  ['2026-02-01T16:00:14.0000000000000Z', '2026-02-01T16:00:14Z'],
  ['2024-02-29T23:59:59-23:59', '2024-03-01T23:58:59Z'],
  ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00Z'],
  ['9999-12-31T23:59:59.999999Z', '9999-12-31T23:59:59.999999Z'],
])('reads %s', (text, utc) => {
  expect(Timestamp.parse(text)?.utc).toBe(utc);
});

test.each([
  '2026-02-01',
  '2026-02-01T16:00:14',
  '2026-02-01T16:00+00:00',
  '2026-02-01 16:00:14Z',
  '2026-02-01t16:00:14z',
  '2026-02-01T16:00:14-00:00',
  '2026-02-01T16:00:60Z',
  '2016-12-31T23:59:60Z',
  '2026-02-01T24:00:00Z',
  '2026-02-30T00:00:00Z',
  '2025-02-29T00:00:00Z',
  '2026-02-01T16:00:14.1234567Z',
  '2026-02-01T16:00:14.000000001Z',
  '2026-02-01T16:00:14.Z',
  '2026-02-01T16:00:14+24:00',
  '2026-02-01T16:00:14+0100',
  '2026-02-01T16:00:14+01:00[Europe/Vienna]',
  '0000-06-01T00:00:00Z',
  '0001-01-01T00:00:00+01:00',
  '9999-12-31T23:59:59-01:00',
  '+002026-02-01T16:00:14Z',
  '2026-02-01T16:00:14Z\n',
  '',
  1_770_000_000,
  null,
  undefined,
  {},
])('refuses %j', (text) => {
  expect(Timestamp.parse(text)).toBeUndefined();
});

test('says how many decimals are too many, and nothing of other faults', () => {
  expect(precisionFault('2026-02-01T16:00:14.1234567Z')).toBe('has 7 decimals, of which at most 6 are kept; truncate to microseconds');
  expect(precisionFault('2026-02-01T16:00:14.000000001+01:00')).toContain('has 9 decimals');
  for (const other of ['2026-02-01T16:00:14.123456Z', '2026-02-01T16:00:14.1234560Z', '2026-02-01T16:00:14.1234567', '', undefined])
    expect(precisionFault(other)).toBeUndefined();
});

test.each([
  ['2026-02-01T00:30:00.1+01:00', '+01:00', '2026-02-01'],
  ['2026-02-01T16:00:00Z', '+00:00', '2026-02-01'],
])('keeps the offset and the date of %s as written', (text, offset, date) => {
  expect(Timestamp.parse(text)).toMatchObject({ offset, date });
});

test('becomes its UTC text in JSON', () => {
  expect(JSON.stringify([Timestamp.parse('2026-02-01T16:00:00+01:00')])).toBe('["2026-02-01T15:00:00Z"]');
});

test('calendar dates', () => {
  expect(['2026-02-01', '2024-02-29', '0001-01-01', '9999-12-31'].map(isCalendarDate)).toEqual([true, true, true, true]);
  expect(['2025-02-29', '2026-2-1', '0000-01-01', '2026-02-01T00:00:00Z', '20260201', '', null, 20260201].some(isCalendarDate)).toBe(false);
});

test.each([
  ['2026-02-01T16:00:00.123+01:00', false],
  ['2026-02-01T16:00:00.122999+01:00', false],
  ['2026-02-01T16:00:00.123001+01:00', true],
  ['2026-02-01T16:00:00.123999+01:00', true],
  ['1969-12-31T23:59:59.999999Z', false],
])('%s is compared to the microsecond (after: %s)', (text, after) => {
  expect(Timestamp.parse(text)!.isAfter(new Date('2026-02-01T15:00:00.123Z'))).toBe(after);
});
