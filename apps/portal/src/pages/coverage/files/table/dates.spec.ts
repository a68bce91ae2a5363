import { dateReader } from './dates.js';

const read = (cells: string[], hasCommas = false) => cells.map(dateReader(cells, hasCommas));

it('reads dates with points, two digits, slashes, and those that a spreadsheet counts', () => {
  expect(read(['01.03.2027', '1.3.27', '1. 3. 2027', '46447', '2027-3-1', '2027-03-01T00:00', '01.03.2027 00:00:00', '', 'bald'])).toEqual([
    ...Array.from({ length: 7 }, () => '2027-03-01'),
    '',
    'bald',
  ]);
});

it('knows from the other dates, or from decimal commas, whether the day comes before a slash', () => {
  expect(read(['1/3/2027', '13/3/2027'])).toEqual(['2027-03-01', '2027-03-13']);
  expect(read(['3/1/2027', '3/13/2027'], true)).toEqual(['2027-03-01', '2027-03-13']);
  expect(read(['1/3/2027'], true)).toEqual(['2027-03-01']);
  expect(read(['1/3/2027'])).toEqual(['1/3/2027']);
});

it('leaves it to the service to reject a day that does not exist', () => {
  expect(read(['31.02.2027'])).toEqual(['2027-02-31']);
});
