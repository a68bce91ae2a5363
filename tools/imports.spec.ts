import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { WORKSPACE } from './workspace.js';

let root: string;
beforeEach(() => (root = mkdtempSync(join(tmpdir(), 'fibre-imports-'))));
afterEach(() => rmSync(root, { recursive: true }));

/** Makes a workspace in which dto imports problems, which is as it should be, and adds or replaces files. */
function workspace(files: Record<string, string>): void {
  const library = (name: string, others: object) =>
    JSON.stringify({ name: `@fibre/${name}`, exports: { source: './src/index.ts' }, nx: { tags: ['type:lib'] }, ...others });
  const sound = {
    'package.json': JSON.stringify({ workspaces: ['libs/*'], scripts: {}, engines: { node: '>=20.19' } }),
    'package-lock.json': JSON.stringify({ packages: { 'node_modules/a': { engines: { node: '>=18' } } } }),
    'libs/problems/package.json': library('problems', {}),
    'libs/problems/src/index.ts': 'export interface Problem { code: string }',
    'libs/dto/package.json': library('dto', { dependencies: { '@fibre/problems': '0.0.0' } }),
    'libs/dto/src/index.ts': "import type { Problem } from '@fibre/problems'; export type Problems = Problem[];",
    ...Object.fromEntries(
      ['eslint.config.mjs', '.dependency-cruiser.mjs', 'jest.preset.mjs', 'tsconfig.base.json'].map((name) => [name, '']),
    ),
  };
  for (const [name, text] of Object.entries({ ...sound, ...files })) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  mkdirSync(join(root, 'node_modules'));
  symlinkSync('../libs', join(root, 'node_modules/@fibre'));
}

function run(...command: string[]): { passed: boolean; output: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, command, {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  return { passed: status === 0, output: stdout + stderr };
}
const checkImports = () =>
  run(join(WORKSPACE, 'node_modules/.bin/depcruise'), '--config', join(WORKSPACE, '.dependency-cruiser.mjs'), 'libs');
const checkManifests = () => run(join(WORKSPACE, 'tools/check-manifests.mjs'));

test('a workspace in order passes', () => {
  workspace({});
  expect([checkImports(), checkManifests()]).toEqual([expect.objectContaining({ passed: true }), { passed: true, output: '' }]);
});

const B = 'export interface B { code: string }';
test.each([
  [
    'a circle of types',
    'no circles',
    {
      'libs/dto/src/a.ts': "import type { B } from './b.js'; export type A = B;",
      'libs/dto/src/b.ts': "import type { A } from './a.js'; export interface B { a: A }",
    },
  ],
  [
    'a circle by import()',
    'no circles',
    { 'libs/dto/src/a.ts': "export type A = import('./b.js').B;", 'libs/dto/src/b.ts': "export type B = import('./a.js').A[];" },
  ],
  ['an import upwards', '@fibre/problems may not import it', { 'libs/problems/src/a.ts': "export type { Problems } from '@fibre/dto';" }],
  [
    'an import past the index',
    'imported by its name',
    { 'libs/problems/src/b.ts': B, 'libs/dto/src/a.ts': "export type { B } from '../../problems/src/b.js';" },
  ],
  ['a package that is listed nowhere', 'in no manifest', { 'libs/dto/src/a.ts': "import 'left-pad';" }],
])('%s fails', (_fault, message, files) => {
  workspace(files);
  expect(checkImports()).toEqual({ passed: false, output: expect.stringContaining(message) as string });
});

const listing = (kind: string) =>
  JSON.stringify({
    name: '@fibre/dto',
    exports: { source: './src/index.ts' },
    nx: { tags: ['type:lib'] },
    [kind]: { '@fibre/problems': '0.0.0' },
  });
test.each([
  ['an import that is not listed', '@fibre/problems is missing in dependencies', { 'libs/dto/package.json': listing('other') }],
  [
    'an import of code among those of tests',
    '@fibre/problems does not belong in devDependencies',
    { 'libs/dto/package.json': listing('devDependencies') },
  ],
  [
    'an import of tests among those of code',
    '@fibre/problems is missing in devDependencies',
    { 'libs/dto/src/index.ts': '', 'libs/dto/test/a.ts': "import '@fibre/problems';" },
  ],
  [
    'a package for a later Node',
    'node_modules/a needs Node >=22, and package.json allows >=20.19',
    { 'package-lock.json': JSON.stringify({ packages: { 'node_modules/a': { engines: { node: '>=22' } } } }) },
  ],
  ['what nothing imports', '@fibre/problems does not belong in dependencies', { 'libs/dto/src/index.ts': '' }],
])('%s fails', (_fault, message, files) => {
  workspace(files);
  expect(checkManifests()).toEqual({ passed: false, output: expect.stringContaining(message) as string });
});
