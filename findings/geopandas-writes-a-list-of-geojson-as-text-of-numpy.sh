#!/usr/bin/env bash
# Features have a list as a property: "tags": ["gpon", "shared"]. GeoPandas reads the file and writes it.
#
# One would guess: the list, or at worst its JSON as a string.
# What happens:    the string "['gpon' 'shared']", without commas, which is how numpy prints an array. Nothing warns. With
#                  `use_arrow=True` for both steps it stays a list.
# Versions: geopandas 1.2.0, pyogrio 0.13.0 (GDAL 3.12.4), pandas 3.1.1, 2026-11-29.
# Who meets it: whoever keeps lists among the free attributes of a node and changes one column in GeoPandas.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check geopandas==1.2.0 pyogrio==0.13.0 pandas==3.1.1 pyarrow==26.0.1
cat > save.py <<'CODE'
import json

import geopandas

feature = {'type': 'Feature', 'properties': {'tags': ['gpon', 'shared']}, 'geometry': {'type': 'Point', 'coordinates': [16.37, 48.2]}}
with open('nodes.geojson', 'w') as file:
    json.dump({'type': 'FeatureCollection', 'features': [feature]}, file)
for use_arrow in (False, True):
    geopandas.read_file('nodes.geojson', use_arrow=use_arrow).to_file('saved.geojson', use_arrow=use_arrow)
    with open('saved.geojson') as file:
        print(f'use_arrow={use_arrow}', json.dumps(json.load(file)['features'][0]['properties']))
CODE
venv/bin/python save.py | tee printed
diff - printed <<'EXPECTED'
use_arrow=False {"tags": "['gpon' 'shared']"}
use_arrow=True {"tags": ["gpon", "shared"]}
EXPECTED
