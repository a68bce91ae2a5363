import { DEFAULT_QUALITY_TABLE, parseQualityTable } from './quality-table.js';

test('parses quality tables, including the default one', () => {
  expect(parseQualityTable('A:10,B:50,C:100,D:500,E:1000,F')).toEqual(DEFAULT_QUALITY_TABLE);
  expect(parseQualityTable(' X:0.5 , Y ')).toEqual([
    { grade: 'X', upTo: 0.5 },
    { grade: 'Y', upTo: Infinity },
  ]);
  expect(parseQualityTable('Z')).toEqual([{ grade: 'Z', upTo: Infinity }]);
});

test.each([
  '',
  'A:10',
  'A:10,B:5,C',
  'A:10,B:10,C',
  'A,B:10',
  'A:10,A',
  'a:10,b',
  'A:-1,B',
  'A:1e3,B',
  'A:10,B,C',
  'AA:10,B',
  'A:10,,B',
  'A:x,B',
])('refuses %j', (text) => {
  expect(() => parseQualityTable(text)).toThrow('must be letters with ascending distances');
});
