import { allowedVersions, entityTag } from './entity-tag.js';

test('a version becomes a strong entity tag', () => {
  expect(entityTag(7)).toBe('"7"');
  expect(allowedVersions(entityTag(7))).toEqual([7]);
});

test('without a condition, and with *, every version is allowed', () => {
  expect(allowedVersions(undefined)).toBeUndefined();
  expect(allowedVersions('*')).toBeUndefined();
  expect(allowedVersions(' * ')).toBeUndefined();
});

test.each<[string, number[]]>([
  ['"1"', [1]],
  ['"1", "2"', [1, 2]],
  ['"1","2" ,, "3"', [1, 2, 3]],
  ['W/"1"', []],
  ['W/"1", "2"', [2]],
  ['"a,b", "2"', [2]],
  ['"", "x"', []],
  ['"01", "0", "-1", "1.0"', []],
  ['"999999999", "9999999999"', [999_999_999]],
])('%s allows the versions %j', (header, versions) => {
  expect(allowedVersions(header)).toEqual(versions);
});
