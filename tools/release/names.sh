# What a release publishes, and where: the only place that says so. Source this file.
readonly REGISTRY=${REGISTRY:-ghcr.io}
# GitHub writes the names of owners and repositories in any case, and registries take only lower case.
readonly IMAGES=$REGISTRY/$(tr '[:upper:]' '[:lower:]' <<< "${GITHUB_REPOSITORY:-OWNER/REPO}")
readonly CHARTS=$IMAGES/charts
# `npm view` finds no package of this scope. Whoever creates the organisation `fibre` at npmjs.com owns it; if that is refused, choose a
# scope of your own here, and dry-run gives the package that name.
readonly CLIENT=${CLIENT:-@fibre/client}
