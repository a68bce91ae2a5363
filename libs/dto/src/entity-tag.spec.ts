import { Conditions, entityTag } from './entity-tag.js';

const ifMatch = (header: string | undefined) => Conditions.parse({ 'if-match': header });
const ifNoneMatch = (header: string | undefined) => Conditions.parse({ 'if-none-match': header });

test('a version becomes a strong entity tag', () => {
  expect(entityTag(7)).toBe('"7"');
  expect(ifMatch(entityTag(7)).versions).toEqual([7]);
});

test('without a condition, and with *, every version is allowed', () => {
  expect(ifMatch(undefined).versions).toBeUndefined();
  expect(ifMatch('*').versions).toBeUndefined();
  expect(ifMatch(' * ').versions).toBeUndefined();
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
])('If-Match: %s allows the versions %j', (header, versions) => {
  expect(ifMatch(header).versions).toEqual(versions);
});

test('a record that does not exist has no version that If-Match could name', () => {
  for (const header of ['*', '"1"']) expect([header, ifMatch(header).allows(undefined)]).toEqual([header, false]);
  for (const header of ['*', '"1"']) expect([header, ifNoneMatch(header).allows(undefined)]).toEqual([header, true]);
});

test.each<[string, boolean]>([
  ['*', false],
  ['"1"', false],
  ['W/"1"', false],
  ['"2", W/"1"', false],
  ['"2"', true],
  ['"1W/"', true],
  ['"a,"', true],
])('If-None-Match: %s allows version 1: %s', (header, isAllowed) => {
  expect(ifNoneMatch(header).allows(entityTag(1))).toBe(isAllowed);
});
