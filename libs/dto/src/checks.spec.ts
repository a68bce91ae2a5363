import { integerBetween, oneOf, text, toInteger, toLowerCase, uuid } from './checks.js';

test('text counts code points', () => {
  const check = text(1, 3);
  for (const value of ['a', 'abc', '😀😀😀', '\u0001', ' ']) expect(check(value)).toBeUndefined();
  for (const value of ['', 'abcd', '😀😀😀😀', 'x'.repeat(1_000_000)]) expect(check(value)).toBe('has to have 1 to 3 characters');
});

test('text is what PostgreSQL can keep', () => {
  const check = text(0, 10);
  expect(check('a\0')).toContain('NUL');
  for (const half of ['\ud800', 'a\udc00b', '\udc00\ud800']) expect(check(half)).toContain('surrogate');
  for (const value of [1, null, undefined, true, [], {}, ['a']]) expect(check(value)).toBe('has to be a string');
});

test('a UUID is any of RFC 9562, in either case', () => {
  for (const value of [
    '00000000-0000-0000-0000-000000000000',
    'FFFFFFFF-ffff-FFFF-ffff-FFFFFFFFFFFF',
    '6ba7b810-9dad-11d1-80b4-00c04fd430c8',
  ])
    expect(uuid(value)).toBeUndefined();
  for (const value of [
    '',
    '6ba7b8109dad11d180b400c04fd430c8',
    '{6ba7b810-9dad-11d1-80b4-00c04fd430c8}',
    '6ba7b810-9dad-11d1-80b4-00c04fd430cg',
    '6ba7b810-9dad-11d1-80b4-00c04fd430c8\n',
    7,
    null,
  ]) {
    expect(uuid(value)).toBe('has to be a UUID');
  }
});

test('a closed list takes its strings alone', () => {
  const check = oneOf(['a', 'b']);
  expect(check('a')).toBeUndefined();
  for (const value of ['A', 'c', '', ['a'], null, 0, 'toString']) expect(check(value)).toBe('has to be one of a, b');
});

test('whole numbers are read from digits and nothing else', () => {
  const check = integerBetween(1, 2_000);
  for (const sent of ['1', '2000', '0500']) expect(check(toInteger(sent))).toBeUndefined();
  for (const sent of ['0', '2001', '-1', '+1', '1.0', '1e3', '0x1', ' 1', '', '9999999999', 'NaN', null, undefined, [1]])
    expect(check(toInteger(sent))).toBe('has to be a whole number from 1 to 2000');
});

test('lower case is for strings, the rest stays', () => {
  expect(['ABC', 1, null, undefined].map(toLowerCase)).toEqual(['abc', 1, null, undefined]);
});
