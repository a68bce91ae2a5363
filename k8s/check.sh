#!/usr/bin/env bash
# Checks the chart: the generated README, the settings (which must match the services), lint, the rendered manifests against Kubernetes'
# schemas, unit tests, rejected values, and alerts. `check.sh --fix` rewrites the README.
set -euo pipefail
cd "$(dirname "$0")"

if ! command -v go > /dev/null; then
  echo '!!! SKIPPED: the chart is not checked, because Go is not installed (its tools come from the Go module proxy) !!!' >&2
  [ "${CI:-}" != true ] || exit 1
  exit 0
fi

source ./tools.sh
chart_tools
crds=$(chart_crds)
chart=open-access-fibre
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

title() { printf '\n== %s\n' "$*"; }
refuse() {
  echo "$*" >&2
  exit 1
}

title 'README'
cp -r $chart "$work/chart"
helm-docs --log-level warning --sort-values-order file --chart-search-root "$work/chart"
if [ "${1:-}" = --fix ]; then cp "$work/chart/README.md" $chart/README.md; fi
diff -u $chart/README.md "$work/chart/README.md" || refuse 'The README differs from what helm-docs generates from the values. To rewrite it: k8s/check.sh --fix'

title 'Settings'
node check-settings.mjs

title 'Lint'
for values in $chart/ci/*-values.yaml; do helm lint --strict --quiet $chart --values "$values"; done

title 'Manifests against the Kubernetes schemas'
for values in $chart/ci/*-values.yaml; do
  helm template fibre $chart --namespace fibre --values "$values" > "$work/$(basename "$values")"
  kubectl-validate --local-crds "$crds" "$work/$(basename "$values")"
done
kubectl-validate --local-crds "$crds" envoy-gateway.yaml
for route in $(sed -n '/kind: HTTPRoute/{n;s/^ *name: //p}' envoy-gateway.yaml); do
  grep -q "^  name: $route$" "$work/gateway-only-values.yaml" || refuse "envoy-gateway.yaml: the chart has no route $route"
done
# Makes sure that the validation can fail.
sed 's/^  replicas:/  replicaz:/' "$work/minimal-values.yaml" > "$work/broken.yaml"
if kubectl-validate --local-crds "$crds" "$work/broken.yaml" > "$work/log" 2>&1; then refuse 'kubectl-validate accepted a misspelt field'; fi
grep -q replicaz "$work/log" || refuse "kubectl-validate rejected something else: $(cat "$work/log")"

title 'Unit tests and rejected values'
helm-unittest --strict $chart

title 'Alerts'
if command -v promtool > /dev/null; then
  helm template fibre $chart --namespace fibre --values $chart/ci/full-values.yaml --show-only templates/prometheusrule.yaml \
    | sed '1,/^spec:/d; s/^  //' > "$work/rules.yaml"
  cp alerts-test.yaml ../deploy/one-machine/backup/alerts.yaml "$work/"
  (cd "$work" && promtool check rules rules.yaml alerts.yaml && promtool test rules alerts-test.yaml)
else
  echo '!!! SKIPPED: the alerts are not tested, because promtool is not installed (Debian package prometheus) !!!' >&2
fi

printf '\nThe chart is fine.\n'
