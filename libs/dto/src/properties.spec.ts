import fc from 'fast-check';
import { Conditions, entityTag } from './entity-tag.js';
import { Timestamp } from './timestamp.js';

const two = (most: number) => fc.integer({ min: 0, max: most }).map((number) => String(number).padStart(2, '0'));
const timestamp = fc
  .record({
    year: fc.integer({ min: 1, max: 9_999 }).map((year) => String(year).padStart(4, '0')),
    month: two(13),
    day: two(32),
    time: fc.tuple(two(24), two(60), two(60)).map((parts) => parts.join(':')),
    decimals: fc.stringMatching(/^(\.\d{1,6})?$/),
    offset: fc.oneof(
      fc.constant('Z'),
      fc.tuple(fc.constantFrom('+', '-'), two(24), two(60)).map(([sign, hours, minutes]) => `${sign}${hours}:${minutes}`),
    ),
  })
  .map(({ year, month, day, time, decimals, offset }) => `${year}-${month}-${day}T${time}${decimals}${offset}`);

test('a timestamp is the instant that JavaScript reads too, and reading its text again returns the same instant', () => {
  fc.assert(
    fc.property(timestamp, (text) => {
      const read = Timestamp.parse(text);
      if (read === undefined) return;
      expect(read.instant.epochMilliseconds).toBe(Date.parse(text));
      expect(Timestamp.parse(read.utc)?.instant.equals(read.instant)).toBe(true);
    }),
  );
});

test('every instant of a valid year is read in every offset', () => {
  const instant = fc.date({ min: new Date('0001-01-03T00:00:00Z'), max: new Date('9999-12-29T00:00:00Z'), noInvalidDate: true });
  const minutes = fc.integer({ min: -1_439, max: 1_439 });
  fc.assert(
    fc.property(instant, minutes, (moment, offset) => {
      const clock = (minute: number): string =>
        [minute / 60, minute % 60].map((part) => String(Math.floor(part)).padStart(2, '0')).join(':');
      const local = new Date(moment.getTime() + offset * 60_000).toISOString().slice(0, -1);
      const read = Timestamp.parse(`${local}${offset < 0 ? '-' : '+'}${clock(Math.abs(offset))}`);
      expect(read?.instant.epochMilliseconds).toBe(moment.getTime());
    }),
  );
});

test('reading any other text does not throw', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => Timestamp.parse(text) === undefined));
});

/** Versions that a record may have, and other tags. */
const opaque = fc.oneof(fc.integer({ min: 1, max: 4 }).map(String), fc.stringMatching(/^[!#-~]{0,4}$/));
const tags = fc.array(fc.record({ weak: fc.boolean(), opaque }), { minLength: 1, maxLength: 5 });
const separator = fc.constantFrom(',', ', ', ' ,', ' ,\t, ');

test('a list of entity tags means the same however it is written', () => {
  fc.assert(
    fc.property(tags, separator, fc.integer({ min: 1, max: 4 }), (list, between, version) => {
      const header = list.map((tag) => `${tag.weak ? 'W/' : ''}"${tag.opaque}"`).join(between);
      const named = (some: typeof list): boolean => some.some((tag) => tag.opaque === String(version));
      expect(Conditions.parse({ 'if-match': header }).allows(entityTag(version))).toBe(named(list.filter(({ weak }) => !weak)));
      expect(Conditions.parse({ 'if-none-match': header }).allows(entityTag(version))).toBe(!named(list));
    }),
  );
});
