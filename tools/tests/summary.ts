import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/** What Jest writes with --json. */
export interface Results {
  readonly testResults: readonly {
    readonly name: string;
    /** Why the file could not be run, or all that failed in it. */
    readonly message: string;
    readonly startTime: number;
    readonly endTime: number;
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly status: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

const SLOWEST = 10;
const SKIPPED = ['pending', 'skipped', 'todo', 'disabled'];

/** What tools/tests/jest has written to this folder: the tests that failed, the slowest files if asked for, and the sums. */
export function summary(folder: string, root: string, seconds: number, isSlowShown: boolean): string {
  const names = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : [];
  const files = names
    .filter((name) => name.endsWith('.json'))
    .flatMap((name) => (JSON.parse(readFileSync(join(folder, name), 'utf8')) as Results).testResults)
    .map((file) => ({ ...file, path: relative(root, file.name) }));
  const tests = files.flatMap(({ path, assertionResults }) => assertionResults.map((test) => ({ path, ...test })));
  const failed = tests.filter(({ status }) => status === 'failed');
  const broken = files.filter(({ message, assertionResults }) => assertionResults.length === 0 && message !== '');
  const skipped = tests.filter(({ status }) => SKIPPED.includes(status));
  const slowest = files
    .map(({ path, startTime, endTime }) => ({ path, took: (endTime - startTime) / 1_000 }))
    .sort((one, other) => other.took - one.took)
    .slice(0, SLOWEST);
  const count = failed.length + broken.length;
  return [
    ...failed.map(({ path, fullName, failureMessages }) => `\nFAILED ${path}\n  ${fullName}\n${failureMessages.join('\n')}`),
    ...broken.map(({ path, message }) => `\nFAILED ${path}\n${message}`),
    ...(isSlowShown ? ['', ...slowest.map(({ path, took }) => `${took.toFixed(1).padStart(6)} s  ${path}`)] : []),
    `\n${tests.length - failed.length - skipped.length} passed, ${count} failed, ${skipped.length} skipped in ${Math.round(seconds)} s`,
  ].join('\n');
}
