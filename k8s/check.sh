#!/usr/bin/env bash
# Checks the chart: generated README, settings as the services have them, lint, the rendered manifests against the schemas of
# Kubernetes, unit tests and refusals, alerts. `check.sh --fix` writes the README anew.
set -euo pipefail
cd "$(dirname "$0")"

if ! command -v go > /dev/null; then
  echo '!!! SKIPPED: the chart is not checked, because Go is not installed (its tools come by the Go module proxy) !!!' >&2
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
diff -u $chart/README.md "$work/chart/README.md" || refuse 'The README is not what helm-docs makes of the values. To write it anew: k8s/check.sh --fix'

title 'Settings and versions'
node check-settings.mjs

title 'Lint'
for values in $chart/ci/*-values.yaml; do helm lint --strict --quiet $chart --values "$values"; done

title 'Manifests against the schemas of Kubernetes'
for values in $chart/ci/*-values.yaml; do
  helm template fibre $chart --namespace fibre --values "$values" > "$work/$(basename "$values")"
  kubectl-validate --local-crds "$crds" "$work/$(basename "$values")"
done
# A check that cannot fail would be none.
sed 's/^  replicas:/  replicaz:/' "$work/minimal-values.yaml" > "$work/broken.yaml"
if kubectl-validate --local-crds "$crds" "$work/broken.yaml" > "$work/log" 2>&1; then refuse 'kubectl-validate took a misspelt field'; fi
grep -q replicaz "$work/log" || refuse "kubectl-validate refused something else: $(cat "$work/log")"

title 'Unit tests and refusals'
helm-unittest --strict $chart

title 'Alerts'
if command -v promtool > /dev/null; then
  helm template fibre $chart --namespace fibre --values $chart/ci/full-values.yaml --show-only templates/prometheusrule.yaml \
    | sed '1,/^spec:/d; s/^  //' > "$work/rules.yaml"
  cp alerts-test.yaml "$work/"
  (cd "$work" && promtool check rules rules.yaml && promtool test rules alerts-test.yaml)
else
  echo '!!! SKIPPED: the alerts are not tried out, because promtool is not installed (Debian package prometheus) !!!' >&2
fi

printf '\nThe chart is fine.\n'
