import { listOf, text } from './value-checks.js';
import { toInteger, toLowerCase } from './field-decorators.js';

test('the length of a text is counted in code points', () => {
  const check = text(1, 3);
  for (const value of ['a', 'abc', '😀😀😀', '\u0001', ' ']) expect(check(value)).toBeUndefined();
  for (const value of ['', 'abcd', '😀😀😀😀', 'x'.repeat(1_000_000)]) expect(check(value)).toBe('must have 1 to 3 characters');
});

test('text must be storable by PostgreSQL', () => {
  const check = text(0, 10);
  expect(check('a\0')).toContain('NUL');
  for (const half of ['\ud800', 'a\udc00b', '\udc00\ud800']) expect(check(half)).toContain('surrogate');
  for (const value of [1, null, undefined, true, [], {}, ['a']]) expect(check(value)).toBe('must be a string');
});

test('every invalid value of a list is reported with its index', () => {
  const check = listOf(1, 3, 'strings', text(1, 2));
  expect(check(['a', 'bb'], {})).toBeUndefined();
  expect(check(['a', '', 'ccc'], {})).toEqual([
    { path: ['1'], detail: 'must have 1 to 2 characters' },
    { path: ['2'], detail: 'must have 1 to 2 characters' },
  ]);
  for (const value of [[], ['a', 'a', 'a', 'a'], 'a', null, { length: 1 }])
    expect(check(value, {})).toBe('must be an array of 1 to 3 strings');
});

test('only digits are converted to a whole number', () => {
  expect(['1', '2000', '0500'].map(toInteger)).toEqual([1, 2_000, 500]);
  for (const sent of ['-1', '+1', '1.0', '1e3', '0x1', ' 1', '', '9999999999', 'NaN', null, undefined, [1]])
    expect(toInteger(sent)).toBe(sent);
});

test('only strings are converted to lower case', () => {
  expect(['ABC', 1, null, undefined].map(toLowerCase)).toEqual(['abc', 1, null, undefined]);
});
