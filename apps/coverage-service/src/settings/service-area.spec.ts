import { outsideOf, parseServiceArea } from './service-area.js';

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

const AUSTRIA = { south: 46.3, west: 9.5, north: 49.1, east: 17.2 };
const FIJI = { south: -21, west: 176, north: -12, east: -178 };

test('the edges are inside', () => {
  for (const latitude of ['46.3', '49.1'])
    for (const longitude of ['9.5', '17.2']) expect(outsideOf(AUSTRIA, { latitude, longitude })).toBeUndefined();
  expect(outsideOf(AUSTRIA, { latitude: '49.1000000001', longitude: '16' })).toBeDefined();
});

test('an area across the date line contains both sides and nothing else', () => {
  for (const longitude of ['176', '180', '-180', '-178']) expect(outsideOf(FIJI, { latitude: '-17', longitude })).toBeUndefined();
  for (const longitude of ['175.9', '-177.9', '0']) expect(outsideOf(FIJI, { latitude: '-17', longitude })).toBeDefined();
});

test('there is a hint only if swapping would fix the center', () => {
  expect(outsideOf(AUSTRIA, { latitude: '16.37', longitude: '48.2' })?.hint).toContain('swapped');
  expect(outsideOf(AUSTRIA, { latitude: '52.5', longitude: '13.4' })).toEqual({
    detail: 'is outside the service area (latitude 46.3 to 49.1, longitude 9.5 to 17.2)',
  });
});
