// Which package may import which, including type imports. tools/check-imports.mjs applies these rules and compares the manifests with the
// imports.
import { existsSync, readdirSync, readFileSync } from 'node:fs';

const manifest = (folder) => JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
const folders = manifest('.').workspaces.flatMap((glob) => {
  const parent = glob.replace('/*', '');
  const folders = parent === glob ? [glob] : readdirSync(parent).map((name) => `${parent}/${name}`);
  return folders.filter((folder) => existsSync(`${folder}/package.json`));
});
/** The packages of the workspace, with their folders and tags. */
export const packages = folders.map((folder) => ({ folder, ...manifest(folder) }));

/** A package or a tag, and the packages and tags that its code may import. */
const MAY_IMPORT = {
  '@fibre/problems': [],
  '@fibre/database': [],
  '@fibre/embedded-postgres': [],
  '@fibre/dto': ['@fibre/problems'],
  '@fibre/auth': ['@fibre/problems'],
  '@fibre/body': ['@fibre/problems'],
  '@fibre/validation': ['@fibre/body', '@fibre/dto', '@fibre/problems'],
  '@fibre/pagination': ['@fibre/dto', '@fibre/problems'],
  '@fibre/server': [
    '@fibre/auth',
    '@fibre/body',
    '@fibre/database',
    '@fibre/dto',
    '@fibre/embedded-postgres',
    '@fibre/pagination',
    '@fibre/problems',
    '@fibre/validation',
  ],
  '@fibre/settled-time': ['@fibre/database', '@fibre/problems'],
  '@fibre/changes': ['@fibre/database', '@fibre/dto', '@fibre/pagination', '@fibre/problems', '@fibre/settled-time'],
  '@fibre/webhooks': [
    '@fibre/auth',
    '@fibre/changes',
    '@fibre/database',
    '@fibre/dto',
    '@fibre/pagination',
    '@fibre/problems',
    '@fibre/server',
    '@fibre/settled-time',
  ],
  '@fibre/testing': ['@fibre/auth', '@fibre/database', '@fibre/embedded-postgres', '@fibre/server'],
  'type:app': ['type:lib'],
  '@fibre/client': [],
  'type:web': ['type:client'],
  'type:tool': ['type:app', 'type:lib', 'type:client', 'type:development'],
};
/** Tests may also import packages with these tags. */
const IN_TESTS = ['type:development'];

/** Files without production code. */
export const TESTS = '/(?:test/.+|[^/]+\\.spec\\.ts)$';
/** Files whose imports are needed only for builds, tests or development. */
const DEVELOPMENT = `${TESTS}|^libs/testing/|^tools/|^k8s/|^apps/portal/|config\\.mjs$`;
/** Files that need packages which `npm ci` leaves out. */
const WITH_EXTRA = '^apps/portal/test/browser/|^libs/client/test/package/browser\\.journey\\.ts$|^tools/bench/';
/** Captures the folder. */
const PACKAGES = '^((?:apps|libs)/(?!node_modules/)[^/]+|k8s|tools)/';

const named = (names) => packages.filter(({ name, nx }) => [name, ...nx.tags].some((word) => names.includes(word)));
const within = (some) => some.map(({ folder }) => `^${folder}/`);
const boundaries = packages.flatMap((own) => {
  const row = MAY_IMPORT[own.name] ?? MAY_IMPORT[own.nx.tags.find((tag) => tag in MAY_IMPORT)];
  if (row === undefined) throw new Error(`.dependency-cruiser.mjs does not say what ${own.name} may import`);
  const [code, tests] = [row, [...row, ...IN_TESTS]].map((names) => ({ path: PACKAGES, pathNot: within([own, ...named(names)]) }));
  return [
    { name: `${own.name} may not import it`, severity: 'error', from: { path: within([own]), pathNot: TESTS }, to: code },
    { name: `tests of ${own.name} may not import it`, severity: 'error', from: { path: `^${own.folder}.*${TESTS}` }, to: tests },
  ];
});

export default {
  forbidden: [
    { name: 'no import cycles', severity: 'error', from: {}, to: { circular: true } },
    ...boundaries,
    {
      name: 'settings import no feature, because features import the settings',
      severity: 'error',
      from: { path: '^(?:apps|libs)/[^/]+/src/(?:[^/]+\\.env\\.ts$|settings/|env/)' },
      to: { path: '^(?:apps|libs)/[^/]+/src/', pathNot: '/src/(?:settings/|env/|index\\.ts$)' },
    },
    {
      name: 'a library is imported by its name',
      comment: 'The benchmark runs statements that a package does not export.',
      severity: 'error',
      from: { path: PACKAGES, pathNot: '^tools/bench/' },
      to: { path: PACKAGES, pathNot: ['^$1/', '/src/(((database|processes)/)?index|volume)\\.ts$', '/places-in-austria\\.json$'] },
    },
    {
      name: 'an image has no embedded PostgreSQL',
      comment: 'libs/server loads it on demand, with import().',
      severity: 'error',
      from: { path: '^libs/server/' },
      to: { path: '^libs/embedded-postgres/', dependencyTypesNot: ['dynamic-import'] },
    },
    {
      name: '`npm ci` does not install what it needs',
      severity: 'error',
      from: { path: PACKAGES, pathNot: WITH_EXTRA },
      to: { path: '^extra/' },
    },
    {
      name: 'in no manifest',
      severity: 'error',
      // These run beside clients that are generated elsewhere.
      from: { pathNot: '^tools/clients/programs/' },
      to: { pathNot: [PACKAGES, '^virtual:'], dependencyTypes: ['npm-no-pkg', 'npm-unknown', 'unknown', 'undetermined'] },
    },
    {
      name: 'production code may not import a devDependency',
      severity: 'error',
      from: { path: PACKAGES, pathNot: DEVELOPMENT },
      // The published client lists its dependencies in its own manifest, whatever the root lists.
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['npm'] },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    combinedDependencies: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(apps|libs)/[^/]+/dist/' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['source', 'import', 'node', 'default'] },
  },
};
