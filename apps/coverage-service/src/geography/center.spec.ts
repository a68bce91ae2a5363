import { Center } from './center.js';

test.each([
  ['48.208555, 16.372966', '48.208555', '16.372966'],
  ['48.208555,16.372966', '48.208555', '16.372966'],
  ['48.10, 16.0', '48.1', '16'],
  ['-0, -0.000', '0', '0'],
  ['-0.5, -000.5', '-0.5', '-0.5'],
  ['007, 010', '7', '10'],
  ['90, 180', '90', '180'],
  ['-90.0000000000, -180.0000000000', '-90', '-180'],
  ['0.0000000001, -0.0000000001', '0.0000000001', '-0.0000000001'],
])('keeps the digits of %s', (text, latitude, longitude) => {
  expect(Center.parse(text)).toEqual({ latitude, longitude });
});

test.each([
  '',
  ',',
  '1',
  '1,',
  ',1',
  '1 2',
  '1,2,3',
  '1,  2',
  ' 1,2',
  '1,2 ',
  '1 ,2',
  '+1,2',
  '1e1,2',
  '1.,2',
  '.1,2',
  '1,2\n',
  '--1,2',
  '1000,2',
  '１,２',
  1,
  null,
  undefined,
  {},
  ['1', '2'],
])('rejects %j', (text) => {
  expect(Center.parse(text)).toMatch(/^must be '<latitude>, <longitude>'/);
});

test('limits the number of decimals, including trailing zeros', () => {
  expect(Center.parse('1.00000000000, 2')).toBe('has more than 10 decimals');
  expect(Center.parse('1, 2.12345678901')).toBe('has more than 10 decimals');
});

test('limits the degrees and recognizes a swapped pair', () => {
  expect(Center.parse('90.0000000001, 0')).toBe('latitude must be between -90 and 90; are latitude and longitude swapped?');
  expect(Center.parse('-116.4, 39.9')).toBe('latitude must be between -90 and 90; are latitude and longitude swapped?');
  expect(Center.parse('116.4, 139.9')).toBe('latitude must be between -90 and 90');
  expect(Center.parse('10, 180.5')).toBe('longitude must be between -180 and 180');
  expect(Center.parse('200, 10')).toBe('latitude must be between -90 and 90');
});

test('canonical text is read unchanged', () => {
  for (const text of ['48.208555, 16.372966', '0, 0', '-89.9999999999, 179.9999999999']) {
    const center = Center.parse(text);
    if (typeof center === 'string') throw new Error(center);
    expect(`${center.latitude}, ${center.longitude}`).toBe(text);
  }
});
