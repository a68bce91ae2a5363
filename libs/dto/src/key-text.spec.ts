import { keyPattern, keyText } from './key-text.js';

const check = keyText(1, 20);
const pattern = new RegExp(keyPattern(), 'u');

test('a key without anything unseen is valid', () => {
  for (const value of ['a', 'Haus 1', 'Straße 5/2', '😀 b', 'e\u0301', '-', '00123']) {
    expect(check(value)).toBeUndefined();
    expect(value).toMatch(pattern);
  }
});

test('the detail names the unseen character and its place', () => {
  expect(check('Haus 1 ')).toBe('must not end with white space; it has U+0020 as character 7');
  expect(check('Haus 1\u00a0')).toBe('must not end with white space; it has U+00A0 as character 7');
  expect(check('\u3000Haus 1')).toBe('must not begin with white space; it has U+3000 as character 1');
  expect(check('😀😀\tb')).toBe('must not contain a control character; it has U+0009 as character 3');
  expect(check('Ha\u00adus')).toBe('must not contain an invisible character; it has U+00AD as character 3');
});

test.each([
  ' a',
  'a ',
  '\u00a0',
  'a\u2003',
  'a\nb',
  'a\u0085b',
  'a\u007f',
  'a\u200bb',
  '\u200ea',
  'a\u2028b',
  'a\u202eb',
  'a\u2060',
  '\ufeffa',
])('%j is no key, by check and by pattern', (value) => {
  expect(check(value)).toMatch(/U\+[0-9A-F]{4} as character \d/);
  expect(value).not.toMatch(pattern);
});
