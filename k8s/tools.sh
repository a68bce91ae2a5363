# The tools that check the chart, the APIs and the compose files, at pinned versions. Source this file: `chart_tools` installs missing tools
# into a cache and puts the cache first in PATH; `chart_crds` prints the path of a folder with the schemas of custom resources.

readonly HELM=v4.3.1
readonly HELM_UNITTEST=v1.1.2
readonly HELM_DOCS=v1.14.2
readonly KUBECTL_VALIDATE=v0.0.4
readonly GATEWAY_API=v1.3.0
readonly ENVOY_GATEWAY=v1.9.1
readonly PROMETHEUS_OPERATOR=v0.85.0
readonly OASDIFF=v1.38.0
readonly COMPOSE_GO=v2.16.2

readonly CACHE="${XDG_CACHE_HOME:-$HOME/.cache}/open-access-fibre"

chart_tools() {
  install_tool helm $HELM helm.sh/helm/v4 ./cmd/helm
  install_tool helm-unittest $HELM_UNITTEST github.com/helm-unittest/helm-unittest ./cmd/helm-unittest
  install_tool helm-docs $HELM_DOCS github.com/norwoodj/helm-docs ./cmd/helm-docs
  install_tool kubectl-validate $KUBECTL_VALIDATE sigs.k8s.io/kubectl-validate .
}

chart_crds() {
  local crds="$CACHE/crds-$GATEWAY_API-$ENVOY_GATEWAY-$PROMETHEUS_OPERATOR"
  if [ ! -d "$crds" ]; then
    local gateway envoy operator
    gateway="$(module sigs.k8s.io/gateway-api $GATEWAY_API)/config/crd/standard"
    envoy="$(module github.com/envoyproxy/gateway $ENVOY_GATEWAY)/charts/gateway-helm/charts/crds/crds/generated"
    operator="$(module github.com/prometheus-operator/prometheus-operator $PROMETHEUS_OPERATOR)/example/prometheus-operator-crd"
    rm -rf "$crds.new" && mkdir -p "$crds.new"
    install -m 644 "$gateway"/*_httproutes.yaml "$envoy"/*_{client,backend}trafficpolicies.yaml "$operator"/*_{servicemonitors,prometheusrules}.yaml "$crds.new"
    mv "$crds.new" "$crds"
  fi
  echo "$crds"
}

# `go install MODULE@VERSION` is not used, because it rejects a module that replaces one of its dependencies, as helm-unittest does.
install_tool() {
  local name=$1 version=$2 path=$3 package=$4 folder="$CACHE/$1@$2"
  if [ ! -x "$folder/$name" ]; then
    echo "installing $name $version (once)" >&2
    go build -C "$(module "$path" "$version")" -mod=readonly -trimpath -o "$folder/$name" "$package"
  fi
  PATH="$folder:$PATH"
}

# Prints the path of a module in the Go module cache.
module() {
  GOFLAGS=-mod=mod go mod download -json "$1@$2" | sed -n 's/^\t"Dir": "\(.*\)",$/\1/p'
}
