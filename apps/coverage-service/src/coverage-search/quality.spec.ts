import { DEFAULT_QUALITY_TABLE } from '../settings/quality-table.js';
import { qualityOf } from './quality.js';

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
