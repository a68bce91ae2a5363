// Checks that the services and the chart have the same environment variables, that those in deploy/one-machine exist, and that the chart and
// the proxies route every path of the services.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const read = (path) => readFileSync(join(root, path), 'utf8');

/** The chart itself sets these; see `fibre.settings`, `fibre.portalSettings` and `fibre.env` in templates/_helpers.tpl. */
const OF_THE_CHART = [
  'NODE_ENV',
  'PORT',
  'SHUTDOWN_DELAY_SECONDS',
  'SHUTDOWN_GRACE_SECONDS',
  'SPOOL_DIR',
  'PUBLIC_BASE_URL',
  'DATABASE_URL',
  'DATABASE_REPLICA_URL',
  'PORTAL_ENABLED',
  'PORTAL_CLIENT_ID',
  'PORTAL_EVENTS_URL',
  'PORTAL_MAP_STYLE_URL',
];
/** Only for development: the embedded database, and migrations at startup. */
const NOT_IN_PRODUCTION = ['DATA_DIR', 'MIGRATE_ON_START'];

const settingsIn = (path) => [...read(path).matchAll(/^ +([A-Z][A-Z0-9_]*): \w+\(/gm)].map(([, name]) => name);
const apps = readdirSync(join(root, 'apps')).filter((app) => app.endsWith('-service'));
const files = ['libs/server/src/env/server.env.ts', ...apps.map((app) => `apps/${app}/src/${app.replace(/-service$/, '')}.env.ts`)];
const inCode = new Set(files.flatMap(settingsIn));

const schema = JSON.parse(read('k8s/open-access-fibre/values.schema.json'));
const inChart = new Set([...Object.keys(schema.$defs.env.properties), ...OF_THE_CHART, ...NOT_IN_PRODUCTION]);
const services = Object.keys(schema.properties.services.properties).map((name) => `${name}-service`);

const faults = [];
// Set.prototype.difference is not used, because the workspace supports Node 20.
const missing = (from, others) => [...from].filter((name) => !others.has(name));
for (const name of missing(inCode, inChart))
  faults.push(`${name} is a setting of a service, but is missing from $defs.env in values.schema.json`);
const lists = read('k8s/open-access-fibre/templates/_helpers.tpl').matchAll(/"paths" \(list ([^)]+)\)/g);
const routed = [...lists].flatMap(([, list]) => list.match(/[^" ]+/g));
const patternsIn = (path, pattern) => [...read(path).matchAll(pattern)].map(([, one]) => new RegExp(one));
const proxies = {
  'docker/nginx.conf': patternsIn('docker/nginx.conf', /location ~ (\S+) \{ proxy_pass/g),
  'deploy/one-machine/apis.caddy': patternsIn('deploy/one-machine/apis.caddy', /path_regexp (\S+)/g),
};
for (const app of apps) {
  for (const path of Object.keys(JSON.parse(read(`apps/${app}/openapi.json`)).paths)) {
    if (!routed.some((prefix) => `${path}/`.startsWith(`${prefix}/`)))
      faults.push(`${path} is not among the paths in templates/_helpers.tpl`);
    for (const [file, patterns] of Object.entries(proxies))
      if (!patterns.some((pattern) => pattern.test(path))) faults.push(`${path} is not routed in ${file}`);
  }
}
/** Read by the C library. */
const NOT_OURS = ['MALLOC_ARENA_MAX'];
for (const file of ['fibre.env', 'fibre@.service', 'fibre-migrate@.service'].map((name) => `deploy/one-machine/${name}`)) {
  const lines = read(file).match(/^(Environment=|[A-Z0-9_]+=).*/gm);
  const names = lines.flatMap((line) => [...line.replace(/^Environment=/, '').matchAll(/(?<=^| )[A-Z0-9_]+(?==)/g)].map(String));
  for (const name of names)
    if (!inCode.has(name) && !NOT_OURS.includes(name)) faults.push(`${name} is in ${file}, but no service reads it`);
}
// If the checkout lacks a service, its settings may still be in the chart.
if (services.every((service) => apps.includes(service))) {
  for (const name of missing(inChart, inCode)) faults.push(`${name} is in the chart, but no service reads it`);
}

if (faults.length > 0) {
  console.error(faults.join('\n'));
  process.exit(1);
}
console.log(`${inCode.size} settings, identical in the services and the chart`);
