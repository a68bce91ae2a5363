import { DEFAULT_QUALITY_TABLE, parseQualityTable, qualityOf } from './quality-table.js';

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

test.each([
  [0, 'A'],
  [10, 'A'],
  [10.000001, 'B'],
  [50, 'B'],
  [100, 'C'],
  [100.1, 'D'],
  [500, 'D'],
  [1_000, 'E'],
  [1_000.01, 'F'],
  [100_000, 'F'],
])('%d m is grade %s', (metres, grade) => {
  expect(qualityOf(metres, DEFAULT_QUALITY_TABLE)).toBe(grade);
});
