import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { OUTSIDE, SPECIFIERS } from './third-party.mjs';
import { WORKSPACE } from './workspace.js';

/** Runs code in a process of its own, as a module in a folder. @returns what it prints as JSON, and the files that it loads */
function run(folder: string, code: string): { printed: unknown; loaded: string[] } {
  const coverage = mkdtempSync(join(tmpdir(), 'third-party-'));
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', code], {
    cwd: join(WORKSPACE, folder),
    env: { PATH: process.env.PATH, NODE_V8_COVERAGE: coverage },
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  const reports = readdirSync(coverage).map(
    (name) => JSON.parse(readFileSync(join(coverage, name), 'utf8')) as { result: { url: string }[] },
  );
  rmSync(coverage, { recursive: true });
  const root = pathToFileURL(`${WORKSPACE}/`).href;
  const urls = new Set(reports.flatMap(({ result }) => result.map(({ url }) => url)).filter((url) => url.startsWith(root)));
  return { printed: stdout === '' ? undefined : JSON.parse(stdout), loaded: [...urls].map((url) => url.slice(root.length)) };
}

const NAMES = `
  const names = {};
  for (const specifier of ${JSON.stringify(SPECIFIERS)}) names[specifier] = Object.keys(await import(specifier)).filter((name) => name !== 'module.exports');
  console.log(JSON.stringify(names));`;

it.each(['apps', 'libs'])('a package in %s exports the same names as the installed one', (folder) => {
  expect(run(folder, NAMES).printed).toEqual(run('.', NAMES).printed);
});

it.each(['coverage-service', 'event-service'])('%s loads every package once, and at most 600 files', (service) => {
  const { loaded } = run('apps', `await import('./${service}/dist/${service}.js')`);
  const installed = loaded.flatMap((path) => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? []);
  // What the packages outside of the one file consist of.
  const parts = ['@stablelib/base64', 'fast-sha256', 'pause', 'pbf', 'temporal-utils', 'utils-merge'];
  expect(installed.filter((name) => ![...OUTSIDE, ...parts].includes(name))).toEqual([]);
  expect(loaded).toContain('libs/node_modules/.third-party/third-party.mjs');
  expect(loaded.length).toBeLessThan(600);
});
