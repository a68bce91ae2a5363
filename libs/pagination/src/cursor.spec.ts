import fc from 'fast-check';
import { Cursor } from './cursor.js';
import { listingDigest } from './page.js';

const listing = listingDigest('nodes of a', { token: 'planned' });
const whole = fc.integer({ min: 0, max: 2 ** 48 - 1 });
const total = fc.integer({ min: 0, max: 2 ** 31 - 1 });

test('decoding returns what was encoded', () => {
  fc.assert(
    fc.property(fc.uuid(), total, fc.string(), fc.array(whole, { maxLength: 3 }), (from, count, name, carried) => {
      const cursor = new Cursor(from, count, listingDigest(name, {}), carried);
      const text = cursor.toString();
      expect(text).toMatch(/^[\w-]+$/);
      expect(text).toHaveLength(40 + 8 * carried.length);
      expect(Cursor.parse(text)).toEqual(cursor);
    }),
  );
});

test('any other text is not a cursor, and parsing it does not throw', () => {
  const good = new Cursor('ffffffff-ffff-ffff-ffff-ffffffffffff', 1, listing).toString();
  for (const text of ['', 'x', good.slice(1), `${good}A`, `${good}=`, ` ${good}`, good.replaceAll('_', '/'), '\0', '😀'])
    expect(Cursor.parse(text)).toBeUndefined();
  expect(Cursor.parse(new Cursor('ffffffff-ffff-ffff-ffff-ffffffffffff', 2 ** 31, listing).toString())).toBeUndefined();
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => [40, 48, 56, 64].includes(text.length) || Cursor.parse(text) === undefined),
  );
});

test('a digest depends on the listing and its filters, but not on the order of the filters', () => {
  const digest = listingDigest('nodes', { a: '1', b: '2' });
  expect(digest).toMatch(/^[0-9a-f]{16}$/);
  expect(listingDigest('nodes', { b: '2', a: '1', c: undefined })).toBe(digest);
  const others = [
    listingDigest('node', { a: '1', b: '2' }),
    listingDigest('nodes', { a: '1' }),
    listingDigest('nodes', { a: '12' }),
    listingDigest('nodes', { a: '1', b: 2 }),
    listingDigest('nodes', { a: '1,b', b: '' }),
  ];
  expect(new Set([digest, ...others]).size).toBe(6);
});

test('the numbers that a cursor carries are compared with the bounds of its listing', () => {
  const cursorOf = (...carried: number[]) => new Cursor('ffffffff-ffff-ffff-ffff-ffffffffffff', 1, listing, carried);
  expect([cursorOf(5, 7).carriesAtMost([5, 7]), cursorOf().carriesAtMost([])]).toEqual([true, true]);
  for (const bounds of [[4, 7], [5, 6], [5], []]) expect([bounds, cursorOf(5, 7).carriesAtMost(bounds)]).toEqual([bounds, false]);
  expect(cursorOf().carriesAtMost([5, 7])).toBe(false);
});
