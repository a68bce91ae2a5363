import { execFileSync } from 'node:child_process';
import { WORKSPACE } from './workspace.js';

const grep = (...args: readonly string[]): string => execFileSync('git', ['grep', '-h', ...args], { cwd: WORKSPACE, encoding: 'utf8' });

test('every pattern in the documents is one in the code', () => {
  const patterns = grep('--only-matching', '--extended-regexp', '`\\^[^`]+\\$`', '--', 'README.md', 'docs').match(/(?<=`)\^.+\$(?=`)/gm);
  const code = grep('\\^.*\\$', '--', 'apps/*/src/*.ts', 'libs/*/src/*.ts');
  expect(patterns).toContain('^[a-z0-9][a-z0-9._-]{0,62}$');
  expect(patterns!.filter((pattern) => !code.includes(pattern))).toEqual([]);
});
