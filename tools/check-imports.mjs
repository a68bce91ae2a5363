// Checks every import against the rules of .dependency-cruiser.mjs, and every manifest against the imports, in both directions. Nx uses the
// manifests to find the tests affected by a change, so a dependency missing from a manifest would make Nx serve stale results.
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { cruise } from 'dependency-cruiser';
import semver from 'semver';
import config, { packages, TESTS } from '../.dependency-cruiser.mjs';
import { SPECIFIERS } from './third-party.mjs';

const json = (file) => JSON.parse(readFileSync(file, 'utf8'));
const { enhancedResolveOptions, ...options } = config.options;
const files = [...packages.map(({ folder }) => folder), 'eslint.config.mjs', '.dependency-cruiser.mjs'];
const ruleSet = { forbidden: config.forbidden };
const { modules, summary } = (await cruise(files, { ...options, validate: true, ruleSet }, enhancedResolveOptions)).output;
const imports = modules.flatMap(({ source, dependencies }) => dependencies.map((dependency) => ({ source, ...dependency })));

/** Files of a folder, without its tests. */
const MOST_FILES = 12;
/** The code of services and libraries; the pages of the portal link to each other. */
const isServed = (file) => /^(apps\/[^/]+-service|libs)\/(?!node_modules)/.test(file) && !new RegExp(TESTS).test(file);

const root = json('package.json');
const violations = summary.violations.map(({ rule, from, to }) => `${from} -> ${to}: ${rule.name}`);
const faults = [
  ...violations,
  ...folderCircles(),
  ...crowdedFolders(),
  ...packages.flatMap(misplacedPackages),
  ...serverPackages(),
  ...unusedPackages(),
  ...unsuitablePackages(),
];
for (const fault of faults) process.stderr.write(`${fault}\n`);
process.exitCode = Math.min(faults.length, 1);

/**
 * Folders side by side that import each other, if only through others: none of them could be read or tested first. The files that lie beside
 * them do not count, because a page and its parts, for example, are one thing.
 */
function folderCircles() {
  const arrows = new Map();
  for (const { source, resolved } of imports.filter(({ source, resolved }) => isServed(source) && isServed(resolved))) {
    const [from, to] = [source.split('/'), resolved.split('/')];
    const level = from.findIndex((name, index) => name !== to[index]) + 1;
    if (level >= from.length || level >= to.length) continue;
    const [a, b] = [from, to].map((names) => names.slice(0, level).join('/'));
    arrows.set(a, (arrows.get(a) ?? new Map()).set(b, `${source} -> ${resolved}`));
  }
  const reached = (folder, seen = new Set()) => {
    for (const next of arrows.get(folder)?.keys() ?? []) if (!seen.has(next)) reached(next, seen.add(next));
    return seen;
  };
  return [...arrows].flatMap(([folder, next]) =>
    [...next].filter(([other]) => reached(other).has(folder)).map(([, example]) => `${example}: in a circle of folders`),
  );
}

/** Folders of services and libraries with more files than can be read at once. */
function crowdedFolders() {
  const sizes = new Map();
  for (const { source } of modules.filter(({ source }) => isServed(source)))
    sizes.set(dirname(source), (sizes.get(dirname(source)) ?? 0) + 1);
  return [...sizes].filter(([, size]) => size > MOST_FILES).map(([folder, size]) => `${folder}: ${size} files, but at most ${MOST_FILES}`);
}

/** Packages of this workspace that a manifest fails to list, lists unnecessarily or lists in the wrong place. */
function misplacedPackages({ folder, ...manifest }) {
  const own = imports.filter(({ source }) => source.startsWith(`${folder}/`));
  return packages
    .filter((other) => other.folder !== folder)
    .flatMap((other) => {
      const place = placeOf(own.filter(({ resolved }) => resolved.startsWith(`${other.folder}/`)));
      return ['dependencies', 'optionalDependencies', 'devDependencies']
        .filter((name) => other.name in (manifest[name] ?? {}) !== (name === place))
        .map((name) => `${folder}/package.json: ${other.name} ${name === place ? 'is missing in' : 'does not belong in'} ${name}`);
    });
}

function placeOf(some) {
  const inCode = some.filter(({ source }) => !new RegExp(TESTS).test(source));
  if (inCode.length === 0) return some.length === 0 ? undefined : 'devDependencies';
  // Packages that are imported dynamically may be missing at run time, for example in an image.
  return inCode.every(({ dynamic }) => dynamic) ? 'optionalDependencies' : 'dependencies';
}

/** Packages of the services that the portal or the client imports: these would get the file with all of them. */
function serverPackages() {
  return imports
    .filter(({ source, module }) => /^(apps\/portal|libs\/client)\//.test(source) && SPECIFIERS.includes(module))
    .map(({ source, module }) => `${source} imports ${module}, so tools/third-party.mjs has to list it in OUTSIDE`);
}

/** Packages listed in the root manifest that nothing imports, runs or names in a setting, and that no other package requires. */
function unusedPackages() {
  const listed = Object.keys({ ...root.dependencies, ...root.devDependencies });
  const used = new Set(imports.map(({ module }) => module.split('/', module.startsWith('@') ? 2 : 1).join('/')));
  const asked = new Set(listed.flatMap((name) => Object.keys(json(`node_modules/${name}/package.json`).peerDependencies ?? {})));
  const scripts = [root, ...packages].map((manifest) => JSON.stringify(manifest.scripts)).join();
  const settings = scripts + readFileSync('jest.preset.mjs') + readFileSync('tsconfig.base.json');
  const isTypes = (name) =>
    ['@types/node', '@types/jest'].includes(name) || (name.startsWith('@types/') && used.has(name.slice('@types/'.length)));
  return listed
    .filter((name) => !used.has(name) && !asked.has(name) && !settings.includes(name) && !isTypes(name))
    .map((name) => `package.json: nothing needs ${name}`);
}

/** Packages that do not support every Node.js version that the root manifest allows. */
function unsuitablePackages() {
  return Object.entries(json('package-lock.json').packages)
    .filter(([, { engines }]) => engines?.node !== undefined && !semver.subset(root.engines.node, engines.node))
    .map(([path, { engines }]) => `${path} needs Node ${engines.node}, but package.json allows ${root.engines.node}`);
}
