/**
 * Prints what the worst bodies of 1 MiB cost a service before it answers, in milliseconds of CPU:
 *
 *   npm run bench:worst-json
 */
import type * as Json from '../../libs/validation/src/json-text.js';
import { built } from './built.js';
import { build } from './service.js';

await build('coverage-service');
const { inspectJson } = await built<typeof Json>('libs/validation/dist/json-text.js');
const BYTES = 1_048_576;
const filled = (unit: string): string => unit.repeat(Math.floor((BYTES - 10) / unit.length));
const members = (count: number, name: (index: number) => string): string =>
  `{${Array.from({ length: count }, (_, index) => `"${name(index)}":0`).join()}}`;

const bodies: Record<string, string> = {
  'a number with zeros in the middle': `{"x":0.1${filled('0')}1}`,
  'a number of nines': `{"x":${filled('9')}}`,
  'many numbers that a double changes': `[${filled('12345678901234567.5,')}1]`,
  'many short exponents': `[${filled('1e5,')}1]`,
  'many exponents beyond the range': `[${filled('1e999,')}1]`,
  'many members': members(90_000, String),
  'many members with escapes': members(60_000, (index) => `\\n${index}`),
  'many objects': `[${filled('{"a":1},')}1]`,
  'many empty strings': `[${filled('"",')}1]`,
  'a string without an end': `"${filled('\\"')}`,
  'arrays in arrays': filled('['),
  'blanks behind a name': `{"a"${filled(' ')}:1}`,
  signs: filled('-'),
};

const rows = Object.entries(bodies).map(([name, text]) => {
  const times = Array.from({ length: 5 }, () => {
    const before = process.cpuUsage();
    try {
      JSON.parse(inspectJson(text));
    } catch {
      // Most of these are refused, and that is what is timed.
    }
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  });
  return `| ${name} | ${Math.max(...times).toFixed(0)} |`;
});
console.log(
  [`Node.js ${process.versions.node}, the slowest of 5, milliseconds of CPU`, '', '| 1 MiB of | ms |', '| --- | --- |', ...rows].join('\n'),
);
