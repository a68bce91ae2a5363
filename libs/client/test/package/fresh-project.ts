import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, realpath, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { WORKSPACE } from '../stack.js';

/** Runs a program in a folder, without the Node.js options of the tests. */
export const run = (program: string, args: string[], cwd: string, environment = {}): Promise<{ stdout: string; stderr: string }> =>
  promisify(execFile)(program, args, { cwd, env: { ...process.env, NODE_OPTIONS: '', ...environment }, maxBuffer: 10_000_000 });
const MODULES = join(WORKSPACE, 'node_modules');
const DEPENDENCIES = [
  'commander',
  'http-link-header',
  'hucre',
  'lossless-json',
  'openapi-fetch',
  'openapi-typescript-helpers',
  'openid-client',
  'oauth4webapi',
  'jose',
  'standardwebhooks',
  '@stablelib',
  'fast-sha256',
  'temporal-polyfill',
  'temporal-spec',
  'temporal-utils',
];
const TOOLS = ['@types', 'typescript', 'vite'];

/** A folder with the package as it would be published. Its dependencies come from this repository, so that no registry is used. */
export async function freshProject(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'fibre-package-')));
  // Nx has built the package before the tests, and `prepack` would remove the command that other tests run.
  await run('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], join(WORKSPACE, 'libs/client'));
  const [tarball] = await readdir(folder);
  await mkdir(join(folder, 'node_modules/@fibre/client'), { recursive: true });
  await run('tar', ['-xzf', tarball!, '--strip-components=1', '-C', 'node_modules/@fibre/client'], folder);
  for (const name of [...DEPENDENCIES, ...TOOLS]) await symlink(join(MODULES, name), join(folder, 'node_modules', name));
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  return folder;
}

/** Bundles `source` and its imports for browsers, as a project with Vite would. @throws if the bundle needs a Node.js module */
export async function bundle(folder: string, source: string): Promise<string> {
  await writeFile(join(folder, 'browser.js'), source);
  const build = `import { build } from 'vite';
    const lib = { entry: 'browser.js', formats: ['es'] };
    const result = await build({ configFile: false, logLevel: 'error', build: { write: false, lib, rolldownOptions: { external: [/^node:/] } } });
    const left = result[0].output.flatMap(({ imports, dynamicImports }) => [...imports, ...dynamicImports]);
    if (left.length > 0) throw new Error('It imports ' + left);
    process.stdout.write(result[0].output.map(({ code }) => code).join(''));`;
  return (await run(process.execPath, ['--input-type=module', '--eval', build], folder)).stdout;
}
