// Puts what tsc has built, and all that it imports, into few files: a start reads and compiles them several times as fast
// (docs/adr/0018-start.md). Each library of ours and each package that is not small is one file of its name, so that a stack trace still tells where it has been.
import { existsSync } from 'node:fs';
import { basename, dirname, parse } from 'node:path';

/** What a service is started by; not each has all of them. */
const ENTRIES = ['main', 'migrate', 'distribute'].filter((name) => existsSync(`dist/${name}.js`));
/** What stands last of `.../node_modules/<package>/`, `.../libs/<library>/` and `.../apps/<service>/` in a path. */
const PACKAGE = /.*[\\/](?:node_modules|libs|apps)[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/;

const isEntry = (id) => ENTRIES.includes(parse(id).name) && basename(dirname(id)) === 'dist';
const fileOf = (id) => PACKAGE.exec(id)[1].replace(/[\\/]/, '-');
const isPackage = (id) => id === HTTP || /[\\/]node_modules[\\/]/.test(id);
/** Bytes that are worth a file: most packages have fewer, and each file has to be found and opened. */
const SMALL = 10_000;

/** Some packages of NestJS look for others by a `require` of their own making, past the bundle: they would load a second TypeORM or class-validator, or find none. */
const bundleRequired = {
  name: 'bundle what NestJS requires',
  transform: {
    filter: { id: /[\\/]@nestjs[\\/](?:mapped-types|terminus|typeorm)[\\/]/ },
    handler: (code) => code.replace('const require = createRequire(import.meta.url);', ''),
  },
};

/**
 * An `import` of `http` touches all that it exports, and with its WebSocket Node.js loads the HTTP client of `fetch`; a `require` does not
 * (docs/adr/0018-start.md).
 */
const HTTP = '\0http';
const httpAlone = {
  name: 'http without fetch',
  resolveId: { filter: { id: /^(?:node:)?http$/ }, handler: (_id, _importer, { kind }) => (kind === 'import-statement' ? HTTP : null) },
  load: { filter: { id: /^\0http$/ }, handler: () => `module.exports = process.getBuiltinModule('http');` },
};

export default {
  input: Object.fromEntries(ENTRIES.map((name) => [name, `dist/${name}.js`])),
  platform: 'node',
  // NestJS does without these, and no image has the embedded PostgreSQL.
  external: [/^@nestjs\/(?:microservices|websockets)/, '@fastify/static', 'class-transformer', '@fibre/embedded-postgres'],
  plugins: [bundleRequired, httpAlone],
  preserveEntrySignatures: false,
  // An entry imports what it starts dynamically, to turn on the compile cache before; the other one does not.
  checks: { ineffectiveDynamicImport: false },
  output: {
    // The entries take the place of those that tsc made. What finds a folder by its own place stands one folder deep in both.
    dir: 'dist',
    // What comes after the name of a group tells the entries that load it.
    chunkFileNames: ({ name }) => `bundle/${name.replace(/~.*/, '')}.js`,
    codeSplitting: {
      groups: [
        { debugName: 'ours', test: (id) => !isEntry(id) && !isPackage(id), name: fileOf },
        { debugName: 'package', test: /[\\/]node_modules[\\/]/, name: fileOf, minSize: SMALL },
        // Several files: what exports traces is still loaded when it is asked for.
        { debugName: 'small packages', test: isPackage, name: 'small-packages', entriesAware: true },
      ],
      includeDependenciesRecursively: false,
    },
    strictExecutionOrder: true,
    // Names of classes stand in logs, and in the table of migrations.
    keepNames: true,
    comments: { legal: true, annotation: false, jsdoc: false },
  },
};
