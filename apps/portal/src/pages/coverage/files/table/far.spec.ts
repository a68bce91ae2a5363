import { farRows } from './far.js';

const AT = { latitude: 0, longitude: 1, center: -1 };
const rows = (...places: string[]) => places.map((text, index) => ({ line: index + 2, cells: text.split(';') }));

it('finds rows far from the others, and says which have their coordinates exchanged', () => {
  const near = ['48,4;15,9', '48,41;15,91', '48.42;15.92', '48.5;16.4'];
  expect(farRows(rows(...near), AT)).toEqual([]);
  expect(farRows(rows(...near, '15.7;48.5', '53.5;10', ';', 'x;y', '148;16'), AT)).toEqual([
    { line: 6, isSwapped: true },
    { line: 7, isSwapped: false },
  ]);
  const centers = ['48.4, 15.9', '48.4, 15.9', '15.9, 48.4'].map((center, index) => ({ line: index + 2, cells: [center] }));
  expect(farRows(centers, { latitude: -1, longitude: -1, center: 0 })).toEqual([{ line: 4, isSwapped: true }]);
});

it('says nothing of two rows, of which neither is the odd one', () => {
  expect(farRows(rows('48;16', '16;48'), AT)).toEqual([]);
});
