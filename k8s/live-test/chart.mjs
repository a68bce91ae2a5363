// Renders the chart with Helm.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';

/** @returns the manifests, as objects */
export function render(values, ...set) {
  const chart = 'open-access-fibre';
  const overrides = set.flatMap((value) => ['--set', value]);
  const command = ['template', 'fibre', chart, '--namespace', 'fibre', '--values', `${chart}/ci/${values}-values.yaml`, ...overrides];
  // Uses the same tools and versions as k8s/check.sh.
  const script = 'source ./tools.sh; chart_tools; helm "$@"';
  const options = { cwd: join(import.meta.dirname, '..'), encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] };
  const yaml = execFileSync('bash', ['-euc', script, 'helm', ...command], options);
  return parseAllDocuments(yaml)
    .map((document) => document.toJS())
    .filter(Boolean);
}

export const ofKind = (manifests, kind) => manifests.filter((manifest) => manifest.kind === kind);

/** Each service's environment without secrets, keyed by the name of its Kubernetes Service and Deployment. */
export function settingsByService(manifests) {
  const plain = ({ env }) => Object.fromEntries(env.filter(({ value }) => value !== undefined).map(({ name, value }) => [name, value]));
  return new Map(ofKind(manifests, 'Deployment').map(({ metadata, spec }) => [metadata.name, plain(spec.template.spec.containers[0])]));
}
