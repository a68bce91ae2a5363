import { inspectJson, MAX_JSON_DEPTH } from './json-text.js';

const passes = (token: string): boolean => inspectJson(`{"a":[${token}]}`) === `{"a":[${token}]}`;
/** CPU time in milliseconds that this process uses while it runs `work`. */
const cpuMs = (work: () => unknown): number => {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
};
const refusalOf = (text: string): string => {
  try {
    inspectJson(text);
  } catch (error) {
    return (error as Error).message;
  }
  return '';
};

describe('numbers', () => {
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
    '1.7976931348623157e308',
    '123456789012345680000',
    '0.10000000000000000000',
  ])('%s is exact as a double and passes', (token) => expect(passes(token)).toBe(true));

  test.each([
    '9007199254740993',
    '12345678901234567890',
    '0.1234567890123456789',
    '1e400',
    '-1e400',
    '1e-400',
    '3.14159265358979323846',
    '123456789.123456789123',
    `0.1${'0'.repeat(100)}1`,
  ])('%s is not exact and becomes Infinity', (token) =>
    expect(JSON.parse(inspectJson(`{"a":[${token},1],"b":2}`))).toEqual({ a: [Infinity, 1], b: 2 }),
  );

  test('numbers within strings are left alone', () => {
    const text = '{"12345678901234567890":"1e400 \\" 12345678901234567890","x\\\\":1}';
    expect(inspectJson(text)).toBe(text);
  });
});

describe('depth', () => {
  const nested = (open: string, close: string, levels: number): string => `${open.repeat(levels)}1${close.repeat(levels)}`;

  test.each([
    ['[', ']'],
    ['{"a":', '}'],
  ])('%s is bounded', (open, close) => {
    expect(refusalOf(nested(open, close, MAX_JSON_DEPTH))).toBe('');
    expect(refusalOf(nested(open, close, MAX_JSON_DEPTH + 1))).toContain(`more than ${MAX_JSON_DEPTH} levels`);
  });

  test('brackets in strings and closed brackets do not count as levels', () => {
    expect(refusalOf(`["${'['.repeat(100)}",${'[],'.repeat(100)}{}]`)).toBe('');
  });
});

describe('two members with the same name', () => {
  test.each([
    '{"a":1,"a":1}',
    '{"a":1,"b":{},"a" :2}',
    '[{"x":{"a":1,"a":2}}]',
    '{"a":1,"\\u0061":2}',
    '{"":1,"":2}',
    '{"__proto__":1,"__proto__":2}',
  ])('%s is refused', (text) => expect(refusalOf(text)).toContain('two members called'));

  test.each(['{"a":{"a":1},"b":{"a":1}}', '[{"a":1},{"a":1}]', '{"a":"a","b":"a"}', '{"a":["a","a"]}'])('%s is accepted', (text) =>
    expect(refusalOf(text)).toBe(''),
  );

  test('a long name is shortened in the response', () => {
    const name = 'x'.repeat(100_000);
    expect(refusalOf(`{"${name}":1,"${name}":2}`).length).toBeLessThan(250);
  });
});

const MEBIBYTE = 1_048_576;
const filled = (unit: string): string => unit.repeat(Math.floor(MEBIBYTE / unit.length));

/** A blocked event loop delays every request. On an idle machine, each test takes a tenth of this; a quadratic one would take minutes. */
const MOST_MS = 2_000;
test.each<[string, string]>([
  ['a number with zeros in the middle', `{"x":0.1${'0'.repeat(MEBIBYTE)}1}`],
  ['a number of nines', `{"x":${'9'.repeat(MEBIBYTE)}}`],
  ['an exponent of zeros', `{"x":1e${'0'.repeat(MEBIBYTE)}1}`],
  ['many long numbers', `[${filled('12345678901234567.5,')}1]`],
  ['many short exponents', `[${filled('1e5,')}1]`],
  ['many members', `{${Array.from({ length: 90_000 }, (_, index) => `"${index}":0`).join()}}`],
  ['many escaped member names', `{${Array.from({ length: 60_000 }, (_, index) => `"\\n${index}":0`).join()}}`],
  ['many objects', `[${filled('{"a":1},')}1]`],
  ['many strings', `[${filled('"",')}1]`],
  ['a string without an end', `"${filled('\\"')}`],
  ['strings without an end', filled('"a')],
  ['spaces after names', `{"a"${' '.repeat(MEBIBYTE)}:1}`],
  ['signs', filled('-')],
  ['digits, points and signs', filled('1.e+-')],
])('1 MiB of %s costs little', (_what, text) => {
  expect(cpuMs(() => refusalOf(text))).toBeLessThan(MOST_MS);
});
