// Puts the third-party code of the services together into one file, because finding and reading thousands of files takes most of the
// processor time of a start. Nothing is removed from the code. npm runs this script after each installation; see
// docs/adr/0023-third-party-code-in-one-file.md.
//
// Node.js looks for a package first in the `node_modules` closest to the importing file. So `apps/node_modules` and `libs/node_modules` get
// a small package for each one that the services and libraries import, and all of them export what is in the one file. Packages in the
// `node_modules` of the workspace do not find these.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { rolldown } from 'rolldown';

/** Dependencies that stay as they are. */
export const OUTSIDE = [
  // The portal or the client imports them too, and must not get the rest of the file.
  '@mapbox/point-geometry',
  '@maplibre/vt-pbf',
  'csv-parse',
  'standardwebhooks',
  'temporal-polyfill',
  // Loaded only if tracing is on.
  '@opentelemetry/resources',
  '@opentelemetry/sdk-node',
  // What these two share with the services.
  '@opentelemetry/api',
  // Code that fails in strict mode, in which a file of modules runs, and what it shares with others.
  'bintrees',
  'passport',
  'passport-strategy',
];
/** Parts of packages that our code imports. */
const PARTS = ['@nestjs/common/internal', '@nestjs/core/helpers/execution-context-host.js', 'typeorm/driver/postgres/PostgresDriver.js'];

const root = join(import.meta.dirname, '..');
const folder = join(root, 'libs/node_modules/.third-party');
/** The folders in which small packages stand for those in the one file. */
const PLACES = ['apps', 'libs'].map((name) => join(root, name, 'node_modules'));
const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
export const SPECIFIERS = [...Object.keys(dependencies).filter((name) => !OUTSIDE.includes(name)), ...PARTS];

if (process.argv[1] === import.meta.filename) await putTogether();

async function putTogether() {
  for (const place of PLACES) rmSync(place, { recursive: true, force: true });
  // Rolldown could not list the names that a CommonJS module exports, but Node.js does. Node.js 23 and later add the last of these.
  const exported = new Map();
  for (const specifier of SPECIFIERS)
    exported.set(
      specifier,
      Object.keys(await import(specifier)).filter((name) => name !== 'module.exports'),
    );

  const ENTRY = '\0entry of ';
  const plugin = {
    name: 'third-party',
    async resolveId(id, importer) {
      if (id.startsWith(ENTRY)) return id;
      // Tables remain files of their own, because JSON takes less memory than the same objects in code.
      if (!id.endsWith('.json')) return undefined;
      const found = await this.resolve(id, importer, { skipSelf: true });
      return { id: relative(folder, found.id).replaceAll('\\', '/'), external: 'relative' };
    },
    load: (id) => {
      const specifier = id.replace(ENTRY, '');
      return specifier === id ? undefined : `export { ${exported.get(specifier).join(', ')} } from '${specifier}';`;
    },
  };
  const bundle = await rolldown({
    cwd: root,
    input: Object.fromEntries(SPECIFIERS.map((specifier) => [nameOf(specifier), ENTRY + specifier])),
    external: OUTSIDE,
    platform: 'node',
    // The same files that Node.js would load.
    resolve: { conditionNames: ['node', 'default'], mainFields: ['main'] },
    treeshake: false,
    plugins: [plugin],
    // Optional packages that are not installed are not found at run time either.
    onLog: (level, log, print) => log.code !== 'UNRESOLVED_IMPORT' && print(level, log),
  });
  await bundle.write({
    dir: folder,
    entryFileNames: '[name].mjs',
    chunkFileNames: '[name].mjs',
    codeSplitting: { groups: [{ name: 'third-party', test: (id) => !id.startsWith(ENTRY) }] },
    // A module runs when it is first imported, as it would in Node.js.
    strictExecutionOrder: true,
    keepNames: true,
    // With other characters, V8 would store the file with two bytes for each character.
    charset: 'ascii',
    comments: false,
  });
  for (const place of PLACES)
    for (const specifier of SPECIFIERS) writePackage(place, specifier, exported.get(specifier).includes('default'));
}

/** The name of the entry in the one file's folder. */
function nameOf(specifier) {
  return specifier.replaceAll('/', '-').replace(/^@|\.js$/g, '');
}

/** Writes the part of a small package that stands for this specifier. */
function writePackage(place, specifier, hasDefault) {
  const name = /^(@[^/]+\/)?[^/]+/.exec(specifier)[0];
  const pathOf = (one) => `${one === name ? 'index' : one.slice(name.length + 1).replace(/\.js$/, '')}.js`;
  const file = join(place, name, pathOf(specifier));
  const from = relative(dirname(file), join(folder, `${nameOf(specifier)}.mjs`)).replaceAll('\\', '/');
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `export * from '${from}';\n${hasDefault ? `export { default } from '${from}';\n` : ''}`);
  const own = SPECIFIERS.filter((one) => one === name || one.startsWith(`${name}/`));
  const exports = Object.fromEntries(own.map((one) => [one.replace(name, '.'), `./${pathOf(one)}`]));
  const { version } = JSON.parse(readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8'));
  writeFileSync(join(place, name, 'package.json'), `${JSON.stringify({ name, version, type: 'module', exports }, undefined, 2)}\n`);
}
