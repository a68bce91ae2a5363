import { withoutInexactNumbers } from './exact-numbers.js';

const passes = (token: string): boolean => withoutInexactNumbers(`{"a":[${token}]}`) === `{"a":[${token}]}`;

test.each([
  '0',
  '-0',
  '0.0',
  '1',
  '-1',
  '1.0',
  '1.10',
  '0.1',
  '9007199254740992',
  '1e300',
  '1E+2',
  '1.5e-7',
  '1000000000000000000000',
  '0e999999',
  '5e-324',
  '123456789012345680000',
])('%s keeps its value as a double and passes', (token) => expect(passes(token)).toBe(true));

test.each([
  '9007199254740993',
  '12345678901234567890',
  '0.1234567890123456789',
  '1e400',
  '-1e400',
  '1e-400',
  '3.14159265358979323846',
  '123456789.123456789123',
])('%s does not and becomes Infinity', (token) => expect(JSON.parse(withoutInexactNumbers(`{"a":[${token}]}`))).toEqual({ a: [Infinity] }));

test('what stands in a string is left alone', () => {
  const text = '{"12345678901234567890":"1e400 \\" 12345678901234567890","x\\\\":1}';
  expect(withoutInexactNumbers(text)).toBe(text);
});
