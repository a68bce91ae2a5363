// Puts what tsc has built, and all that it imports, into few files: a start reads and compiles them several times as fast
// (docs/adr/0018-start.md). Each package and each library of ours is one file of its name, so that a stack trace still tells where it has been.
import { existsSync } from 'node:fs';
import { basename, dirname, parse } from 'node:path';

/** What a service is started by; not each has all of them. */
const ENTRIES = ['main', 'migrate', 'distribute'].filter((name) => existsSync(`dist/${name}.js`));
/** What stands last of `.../node_modules/<package>/`, `.../libs/<library>/` and `.../apps/<service>/` in a path. */
const PACKAGE = /.*[\\/](?:node_modules|libs|apps)[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/;

const isEntry = (id) => ENTRIES.includes(parse(id).name) && basename(dirname(id)) === 'dist';
const fileOf = (id) => (isEntry(id) ? null : PACKAGE.exec(id)[1].replace(/[\\/]/, '-'));

/** Some packages of NestJS look for others by a `require` of their own making, past the bundle: they would load a second TypeORM or class-validator, or find none. */
const bundleRequired = {
  name: 'bundle what NestJS requires',
  transform: {
    filter: { id: /[\\/]@nestjs[\\/](?:mapped-types|terminus|typeorm)[\\/]/ },
    handler: (code) => code.replace('const require = createRequire(import.meta.url);', ''),
  },
};

export default {
  input: Object.fromEntries(ENTRIES.map((name) => [name, `dist/${name}.js`])),
  platform: 'node',
  // NestJS does without these, and no image has the embedded PostgreSQL.
  external: [/^@nestjs\/(?:microservices|websockets)/, '@fastify/static', 'class-transformer', '@fibre/embedded-postgres'],
  plugins: [bundleRequired],
  preserveEntrySignatures: false,
  // An entry imports what it starts dynamically, to turn on the compile cache before; the other one does not.
  checks: { ineffectiveDynamicImport: false },
  output: {
    // The entries take the place of those that tsc made. What finds a folder by its own place stands one folder deep in both.
    dir: 'dist',
    chunkFileNames: 'bundle/[name].js',
    codeSplitting: { groups: [{ debugName: 'package', name: fileOf }], includeDependenciesRecursively: false },
    strictExecutionOrder: true,
    // Names of classes stand in logs, and in the table of migrations.
    keepNames: true,
    comments: { legal: true, annotation: false, jsdoc: false },
  },
};
