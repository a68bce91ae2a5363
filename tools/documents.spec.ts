import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { WORKSPACE } from './workspace.js';

const DOCUMENTS = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'docs', 'findings/README.md'];
const CODE = ['apps', 'libs', 'tools', 'docker', 'k8s', 'extra', '.github', ':!*.md'];

const grep = (...args: readonly string[]): string => execFileSync('git', ['grep', '-h', ...args], { cwd: WORKSPACE, encoding: 'utf8' });
/** What stands between backticks in the documents and matches this, each once. */
const named = (what: RegExp, documents = DOCUMENTS): string[] => {
  const quoted = grep('--only-matching', '--extended-regexp', '`[^` ]+`', '--', ...documents).split('\n');
  return [...new Set(quoted.map((text) => text.slice(1, -1)))].filter((text) => what.test(text));
};
const isInCode = (word: string): boolean => {
  try {
    return grep('--quiet', '--word-regexp', '--fixed-strings', word, '--', ...CODE) === '';
  } catch {
    return false;
  }
};

test('every pattern in the documents is one in the code', () => {
  const patterns = grep('--only-matching', '--extended-regexp', '`\\^[^`]+\\$`', '--', 'README.md', 'docs').match(/(?<=`)\^.+\$(?=`)/gm);
  const code = grep('\\^.*\\$', '--', 'apps/*/src/*.ts', 'libs/*/src/*.ts');
  expect(patterns).toContain('^[a-z0-9][a-z0-9._-]{0,62}$');
  expect(patterns!.filter((pattern) => !code.includes(pattern))).toEqual([]);
});

test('every file and folder that the documents name exists', () => {
  const paths = named(/^(apps|libs|tools|docs|docker|k8s|extra|findings)\/[^*<{$]+$/);
  expect(paths).toContain('libs/server/src/start/create-app.ts');
  expect(paths.filter((path) => !existsSync(join(WORKSPACE, path)))).toEqual([]);
});

test('every setting and every metric that the documents name is in the code', () => {
  const guides = ['operations', 'scaling', 'security', 'portal', 'clients'].map((name) => `docs/${name}.md`);
  // The settings of `fibre` are made of its flags.
  const settings = named(/^(?!FIBRE_)[A-Z][A-Z\d]+(_[A-Z\d]+)+$/, ['README.md', ...guides]);
  const metrics = named(/^(http|db|limit|webhook|tz_database|nodejs|process)_[a-z_]+$/);
  expect([settings.includes('REQUEST_DEADLINE_SECONDS'), metrics.includes('limit_used')]).toEqual([true, true]);
  expect([...settings, ...metrics].filter((name) => !isInCode(name))).toEqual([]);
});

test('every script that the documents name exists', () => {
  const scripts = ['.', 'apps/portal', 'apps/coverage-service', 'apps/event-service', 'libs/client'].flatMap((folder) => {
    const manifest = JSON.parse(readFileSync(join(WORKSPACE, folder, 'package.json'), 'utf8')) as { scripts?: object };
    return Object.keys(manifest.scripts ?? {});
  });
  const called = grep('--only-matching', '--extended-regexp', 'npm run [a-z][a-z:-]*', '--', ...DOCUMENTS).match(/(?<=npm run )\S+/g)!;
  expect(called).toContain('bench');
  expect([...new Set(called)].filter((script) => !scripts.includes(script))).toEqual([]);
});

test('architecture.md says what each folder of a service and of the tools is for', () => {
  const architecture = readFileSync(join(WORKSPACE, 'docs/architecture.md'), 'utf8');
  const folders = ['apps/coverage-service/src', 'apps/event-service/src', 'tools'].flatMap((parent) =>
    readdirSync(join(WORKSPACE, parent), { withFileTypes: true }).filter((entry) => entry.isDirectory()),
  );
  const names = folders.map(({ name }) => name).filter((name) => !['node_modules', 'migrations'].includes(name));
  expect(names.filter((name) => !architecture.includes(`\`${name}/\``))).toEqual([]);
});

test('every guide that uses fibre first defines it, by the same line', () => {
  const definition = 'fibre() { npm run --silent fibre -- "$@"; } # in this repository; elsewhere: npm install --global @fibre/client';
  const pages = grep('--files-with-matches', '--extended-regexp', '^(\\$ )?fibre[ (]', '--', 'docs/*.md', 'libs/client/README.md')
    .trim()
    .split('\n');
  const inConsole = pages.flatMap((path) => {
    const text = readFileSync(join(WORKSPACE, path), 'utf8');
    const lines = [...text.matchAll(/^```(?:console|sh)\n(.*?)^```/gms)].flatMap(([, block]) => block!.split('\n'));
    const first = lines.map((line) => line.replace(/^\$ /, '')).find((line) => /^fibre[ (]|\| fibre /.test(line));
    return first === undefined ? [] : [[path, first]];
  });
  expect(inConsole.map(([path]) => path)).toContain('docs/isps.md');
  expect(inConsole.filter(([, first]) => first !== definition)).toEqual([]);
});

test('the Java program in clients.md passes every parameter of its operations', () => {
  interface Operation {
    operationId?: string;
    parameters?: unknown[];
    requestBody?: object;
  }
  const operations = ['coverage', 'event'].flatMap((api) => {
    const text = readFileSync(join(WORKSPACE, `apps/${api}-service/openapi.json`), 'utf8');
    return Object.values((JSON.parse(text) as { paths: Record<string, Record<string, Operation>> }).paths).flatMap(
      Object.values<Operation>,
    );
  });
  const [, program] = /^```java\n(.*?)^```/ms.exec(readFileSync(join(WORKSPACE, 'docs/clients.md'), 'utf8'))!;
  const calls = program!
    .replaceAll(/"[^"]*"/g, '""')
    .matchAll(/\.(searchCoverage|recordEvent|listEvents)(?:WithHttpInfo)?\(((?:[^()]|\([^()]*\))*)\)/g);
  const passed = [...calls].map(([, name, list]) => [name, list!.replaceAll(/\([^()]*\)/g, '').split(',').length]);
  expect(passed).toEqual(
    ['searchCoverage', 'recordEvent', 'listEvents'].map((name) => {
      const { parameters = [], requestBody } = operations.find(({ operationId }) => operationId === name)!;
      return [name, parameters.length + (requestBody ? 1 : 0)];
    }),
  );
});
