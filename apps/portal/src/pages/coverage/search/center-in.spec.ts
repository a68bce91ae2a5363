import { centerIn } from './center-in.js';

describe('centerIn', () => {
  it.each([
    ['48,2108, 16,3575'],
    ['48,2108; 16,3575'],
    ['48,2108 16,3575'],
    ['48.2108; 16.3575'],
    ['48,2108,16,3575'],
    [' 48.2108 16.3575 '],
    ['48.2108, 16.3575'],
    ['48.2108,16.3575'],
  ])('understands %s', (text) => {
    expect(centerIn(text)).toBe('48.2108, 16.3575');
  });

  it.each([
    ['-33,4500; -70,6600', '-33.4500, -70.6600'],
    ['48, 16', '48, 16'],
    ['48,16', '48, 16'],
  ])('keeps the signs and digits of %s', (text, center) => {
    expect(centerIn(text)).toBe(center);
  });

  it.each([['48.2108'], ['48,2108'], ['Vienna'], ['']])('finds none in %s', (text) => {
    expect(centerIn(text)).toBeUndefined();
  });
});
