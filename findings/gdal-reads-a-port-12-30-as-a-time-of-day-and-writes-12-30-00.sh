#!/usr/bin/env bash
# Nodes are exported as GeoJSON, opened and saved as GeoJSON. Their references are strings, slot and port of a line card: "12:30".
#
# One would guess: strings stay as they are, because JSON has types, and only text formats such as CSV make a reader guess.
# What happens:    GDAL takes a string property for a time of day if each value looks like one, and writes "12:30:00". One value that does
#                  not ("12:75") keeps them all. A string that holds JSON ("[1,2]") comes out as JSON. The open option DATE_AS_STRING=YES keeps
#                  times.
# Versions: GDAL 3.12.4 (pyogrio 0.13.0), 2026-11-29.
# Who meets it: whoever edits nodes in a GIS program and imports them again by reference: every node is a new one.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check pyogrio==0.13.0 pyarrow==26.0.1
cat > save.py <<'CODE'
import json

import pyogrio

print('GDAL', pyogrio.__gdal_version_string__)

def save(*references, **options):
    features = [{'type': 'Feature', 'properties': {'reference': reference}, 'geometry': {'type': 'Point', 'coordinates': [16.37, 48.2]}}
                for reference in references]
    with open('nodes.geojson', 'w') as file:
        json.dump({'type': 'FeatureCollection', 'features': features}, file)
    meta, table = pyogrio.read_arrow('nodes.geojson', **options)
    pyogrio.write_arrow(table, 'saved.geojson', geometry_type='Point', geometry_name=meta['geometry_name'] or 'wkb_geometry', crs=meta['crs'])
    with open('saved.geojson') as file:
        print(list(references), *options, table.schema.field('reference').type, [feature['properties']['reference'] for feature in json.load(file)['features']])

save('12:30', '12:31')
save('12:30', '12:31', DATE_AS_STRING='YES')
save('12:30', '12:75')
save('[1,2]', '[3,4]')
CODE
venv/bin/python save.py | tee printed
diff - printed <<'EXPECTED'
GDAL 3.12.4
['12:30', '12:31'] time32[ms] ['12:30:00', '12:31:00']
['12:30', '12:31'] DATE_AS_STRING string ['12:30', '12:31']
['12:30', '12:75'] string ['12:30', '12:75']
['[1,2]', '[3,4]'] string [[1, 2], [3, 4]]
EXPECTED
