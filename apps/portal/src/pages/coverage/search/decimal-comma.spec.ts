import { withDecimalPoints } from './decimal-comma.js';

describe('withDecimalPoints', () => {
  it.each([
    ['48,2108, 16,3575'],
    ['48,2108; 16,3575'],
    ['48,2108 16,3575'],
    ['48.2108; 16.3575'],
    ['48,2108,16,3575'],
    [' 48.2108 16.3575 '],
  ])('understands %s', (text) => {
    expect(withDecimalPoints(text)).toBe('48.2108, 16.3575');
  });

  it('keeps signs and digits', () => {
    expect(withDecimalPoints('-33,4500; -70,6600')).toBe('-33.4500, -70.6600');
  });

  it.each([['48.2108, 16.3575'], ['48.2108,16.3575'], ['48, 16'], ['Vienna'], ['']])('has no suggestion for %s', (text) => {
    expect(withDecimalPoints(text)).toBeUndefined();
  });
});
