import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { WORKSPACE } from './workspace.js';

const manifest = (name: string, others: object = {}) =>
  JSON.stringify({ name: `@fibre/${name}`, exports: { source: './src/index.ts' }, nx: { tags: ['type:lib'] }, ...others });
const EXPORT = 'export interface Problem { code: string }';
const IMPORT = "import type { Problem } from '@fibre/problems'; export type Problems = Problem[];";

/** A workspace with every kind of fault; `npm run lint` shows that a workspace without faults passes. */
const FILES = {
  'package.json': JSON.stringify({ workspaces: ['libs/*'], scripts: {}, engines: { node: '>=20.19' }, dependencies: { unused: '1.0.0' } }),
  'package-lock.json': JSON.stringify({ packages: { 'node_modules/a': { engines: { node: '>=22' } } } }),
  'node_modules/unused/package.json': '{}',
  ...Object.fromEntries(
    ['eslint.config.mjs', '.dependency-cruiser.mjs', 'jest.preset.mjs', 'tsconfig.base.json'].map((name) => [name, '']),
  ),
  'libs/problems/package.json': manifest('problems', { dependencies: { '@fibre/database': '0.0.0' } }),
  'libs/problems/src/index.ts': EXPORT,
  'libs/problems/src/b.ts': EXPORT,
  'libs/problems/src/upwards.ts': "export type { Problems } from '@fibre/dto';",
  'libs/database/package.json': manifest('database'),
  'libs/database/src/index.ts': EXPORT,
  'libs/dto/package.json': manifest('dto', { devDependencies: { '@fibre/problems': '0.0.0' } }),
  'libs/dto/src/index.ts': IMPORT,
  'libs/dto/src/past-index.ts': "export type { Problem } from '../../problems/src/b.js';",
  'libs/dto/src/unlisted.ts': "import 'left-pad';",
  'libs/dto/src/left-out.ts': "import '../../../extra/browser.js';",
  'extra/browser.ts': '',
  'libs/dto/src/type-a.ts': "import type { B } from './type-b.js'; export type A = B;",
  'libs/dto/src/type-b.ts': "import type { A } from './type-a.js'; export interface B { a: A }",
  'libs/dto/src/lazy-a.ts': "export type A = import('./lazy-b.js').B;",
  'libs/dto/src/lazy-b.ts': "export type B = import('./lazy-a.js').A[];",
  'libs/auth/package.json': manifest('auth', { dependencies: { '@fibre/problems': '0.0.0' } }),
  'libs/auth/src/index.ts': '',
  'libs/auth/test/a.ts': IMPORT,
};

let output: string;
beforeAll(() => {
  const root = mkdtempSync(join(tmpdir(), 'fibre-imports-'));
  for (const [name, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  symlinkSync('../libs', join(root, 'node_modules/@fibre'));
  const env = { ...process.env, NODE_OPTIONS: '' };
  const { status, stderr } = spawnSync(process.execPath, [join(WORKSPACE, 'tools/check-imports.mjs')], {
    cwd: root,
    encoding: 'utf8',
    env,
  });
  rmSync(root, { recursive: true });
  expect(status).toBe(1);
  output = stderr;
});

test.each([
  ['a cycle of type imports', /type-a\.ts -> \S+type-b\.ts: no import cycles/],
  ['a cycle through import()', /lazy-a\.ts -> \S+lazy-b\.ts: no import cycles/],
  ['an import upwards', /upwards\.ts -> \S+: @fibre\/problems may not import it/],
  ['an import that bypasses the index', /past-index\.ts -> \S+: a library is imported by its name/],
  ['a package that no manifest lists', /unlisted\.ts -> left-pad: in no manifest/],
  ['an import that needs what `npm ci` leaves out', /left-out\.ts -> \S+: `npm ci` does not install what it needs/],
  ['an import that its manifest does not list', /libs\/problems\/package\.json: @fibre\/dto is missing in dependencies/],
  ['a runtime dependency listed as a test dependency', /libs\/dto\/package\.json: @fibre\/problems does not belong in devDependencies/],
  ['a test dependency listed as a runtime dependency', /libs\/auth\/package\.json: @fibre\/problems is missing in devDependencies/],
  ['a listed package that nothing imports', /libs\/problems\/package\.json: @fibre\/database does not belong in dependencies/],
  ['a third-party package that nothing needs', /package\.json: nothing needs unused/],
  ['a package that needs a later Node', /node_modules\/a needs Node >=22, but package\.json allows >=20\.19/],
])('%s is reported', (_fault, message) => {
  expect(output).toMatch(message);
});
