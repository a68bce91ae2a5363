// The chart as Helm renders it.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';

const K8S = join(import.meta.dirname, '..');

/** @returns the manifests, as objects */
export function render(values, ...set) {
  const overrides = set.flatMap((value) => ['--set', value]);
  const chart = join(K8S, 'open-access-fibre');
  const command = ['template', 'fibre', chart, '--namespace', 'fibre', '--values', join(chart, 'ci', `${values}-values.yaml`), ...overrides];
  // The tools of k8s/check.sh, at their versions.
  const script = 'source "$0"; chart_tools; helm "$@"';
  const yaml = execFileSync('bash', ['-euc', script, join(K8S, 'tools.sh'), ...command], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
  return parseAllDocuments(yaml).map((document) => document.toJS()).filter(Boolean);
}

export const ofKind = (manifests, kind) => manifests.filter((manifest) => manifest.kind === kind);

/** Environment of each service by the name of its Kubernetes Service, as its ConfigMap has it. */
export function settingsByService(manifests) {
  const services = new Set(ofKind(manifests, 'Service').map(({ metadata }) => metadata.name));
  return new Map(ofKind(manifests, 'ConfigMap').filter(({ metadata }) => services.has(metadata.name)).map(({ metadata, data }) => [metadata.name, data]));
}
