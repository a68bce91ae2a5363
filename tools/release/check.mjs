// Checks what dry-run has made, and writes the chart's SBOM: node tools/release/check.mjs FOLDER [TAG]
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

const [folder, tag] = process.argv.slice(2);
const root = join(import.meta.dirname, '../..');
const read = (path) => readFileSync(join(root, path), 'utf8');
const json = (path) => JSON.parse(read(path));
const made = (name) => JSON.parse(readFileSync(join(folder, name), 'utf8'));
const faults = [];

const { version } = json('package.json');
const chart = parse(read('k8s/open-access-fibre/Chart.yaml'));
const services = ['coverage-service', 'event-service'];
const manifests = ['libs/client', ...services.map((name) => `apps/${name}`)].map((folder) => `${folder}/package.json`);
const versions = {
  'version in Chart.yaml': chart.version,
  'appVersion in Chart.yaml': chart.appVersion,
  ...Object.fromEntries(manifests.map((path) => [`version in ${path}`, json(path).version])),
  'version in package-lock.json': json('package-lock.json').version,
  'first version in CHANGELOG.md': /^## (\d\S*)/m.exec(read('CHANGELOG.md'))?.[1],
  ...(tag && { 'the tag': tag.replace(/^v/, '') }),
};
for (const [where, found] of Object.entries(versions)) {
  if (found !== version) faults.push(`${where} is ${found}, but version in package.json is ${version}`);
}

if (tag && !/^v\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/.test(tag)) faults.push(`the tag is ${tag}, but must look like v1.2.3`);
if (readFileSync(join(folder, 'notes.md'), 'utf8').trim() === '') faults.push(`CHANGELOG.md says nothing of ${version}`);

const client = json('libs/client/package.json');
// npm 12 prints an object by package instead of a list.
const [{ files }] = Object.values(made('packed.json'));
const packed = files.map(({ path }) => path);
for (const path of [client.bin.fibre, ...Object.values(client.exports['.']), 'README.md', 'LICENSE', 'package.json']) {
  if (!packed.includes(path.replace('./', ''))) faults.push(`${path} is missing from the package of the client`);
}
for (const path of packed) {
  if (!/^((dist|src)\/|(README\.md|LICENSE|package\.json)$)/.test(path) || /\.spec\./.test(path))
    faults.push(`${path} must not be in the package of the client`);
}

const LICENCES = ['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT', 'Unlicense'];
/** Packages whose manifest names no licence. */
const LICENSED_IN_README = { 'pause@0.0.1': 'MIT' };
const isOurs = ({ properties = [] }) => properties.some(({ name, value }) => name === 'cdx:npm:package:private' && value === 'true');
const components = ['images.cdx.json', 'client.cdx.json'].flatMap((name) => made(name).components);
const foreign = new Map(components.filter((component) => !isOurs(component)).map((it) => [it['bom-ref'], it]));
for (const [name, { licenses = [] }] of foreign) {
  const found =
    licenses.map(({ license, expression }) => license?.id ?? license?.name ?? expression).join(', ') || LICENSED_IN_README[name];
  if (!LICENCES.includes(found)) faults.push(`the licence of ${name} is ${found}, which is not in the list of tools/release/check.mjs`);
}
if (foreign.size === 0) faults.push('the SBOMs list no packages');

writeFileSync(
  join(folder, 'chart.cdx.json'),
  JSON.stringify({
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: { component: { type: 'application', name: chart.name, version } },
    components: services.map((name) => ({ type: 'container', name, version })),
  }),
);

if (faults.length > 0) {
  console.error(faults.join('\n'));
  process.exit(1);
}
console.log(`Version ${version}; ${packed.length} files in the client; ${foreign.size} packages with allowed licences: ${folder}`);
