import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { summary } from './summary.js';

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'fibre-summary-'))));
afterEach(() => rmSync(folder, { recursive: true }));

/** Writes what Jest writes about these files, each with the statuses of its tests and its seconds. */
function write(project: string, files: Record<string, [statuses: string[], seconds: number, message?: string]>): void {
  const testResults = Object.entries(files).map(([name, [statuses, seconds, message = '']]) => ({
    name: join('/root', name),
    startTime: 0,
    endTime: seconds * 1_000,
    message,
    assertionResults: statuses.map((status, n) => ({
      fullName: `test ${n}`,
      status,
      failureMessages: status === 'failed' ? ['Error: no'] : [],
    })),
  }));
  mkdirSync(join(folder, project, '..'), { recursive: true });
  writeFileSync(join(folder, `${project}.json`), JSON.stringify({ testResults }));
}

test('the last line has the sums of all projects, and failures come first', () => {
  write('event-service-test', { 'a.spec.ts': [['passed', 'passed', 'pending'], 1], 'b.spec.ts': [[], 0, 'Cannot find module'] });
  write('@fibre/client-test', { 'c.spec.ts': [['passed', 'failed'], 2] });
  const lines = summary(folder, '/root', 61.4, false).split('\n');
  expect(lines.slice(0, 4)).toEqual(['', 'FAILED c.spec.ts', '  test 1', 'Error: no']);
  expect(lines.slice(-4)).toEqual(['FAILED b.spec.ts', 'Cannot find module', '', '3 passed, 2 failed, 1 skipped in 61 s'].slice(-4));
});

test('the ten slowest files are named if asked for', () => {
  write('one', Object.fromEntries(Array.from({ length: 12 }, (_, n) => [`${n}.spec.ts`, [['passed'], n]])));
  const lines = summary(folder, '/root', 3, true).split('\n');
  expect(lines.filter((line) => line.includes('spec.ts'))).toEqual(
    Array.from({ length: 10 }, (_, n) => `${(11 - n).toFixed(1).padStart(6)} s  ${11 - n}.spec.ts`),
  );
  expect(lines.at(-1)).toBe('12 passed, 0 failed, 0 skipped in 3 s');
});
