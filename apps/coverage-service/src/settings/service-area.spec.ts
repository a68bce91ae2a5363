import { parseServiceArea } from './service-area.js';

test('reads south, west, north, east', () => {
  expect(parseServiceArea('46.3, 9.5,49.1,17.2 ')).toEqual({ south: 46.3, west: 9.5, north: 49.1, east: 17.2 });
  expect(parseServiceArea('-21,176,-12,-178')).toEqual({ south: -21, west: 176, north: -12, east: -178 });
});

test.each([
  '',
  '1,2,3',
  '1,2,3,4,5',
  'a,b,c,d',
  '49,9,46,17',
  '46,9,46,17',
  '-91,0,0,1',
  '0,0,91,1',
  '0,-181,1,0',
  '0,0,1,181',
  '1e1,0,20,1',
  '1,,2,3',
])('refuses %j', (text) => {
  expect(() => parseServiceArea(text)).toThrow('must be south,west,north,east in decimal degrees');
});
