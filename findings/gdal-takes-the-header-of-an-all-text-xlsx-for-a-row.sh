#!/usr/bin/env bash
# A spreadsheet of references and address ids, all cells text so that zeros in front are kept, is opened as a table in a GIS program.
#
# One would guess: the first row names the columns, as in every other such sheet.
# What happens:    GDAL looks whether the first row is text and the second has another type. If all is text, the columns are called Field1
#                  and Field2, and the names are the first record. One number in the second row, and the header is one.
#                  OGR_XLSX_HEADERS=FORCE helps.
# Versions: GDAL 3.12.4 (pyogrio 0.13.0), openpyxl 3.1.5, 2026-11-29.
# Who meets it: whoever joins a register or a list of orders to nodes in QGIS or GeoPandas, after the advice to make all cells text.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check pyogrio==0.13.0 openpyxl==3.1.5
cat > sheet.py <<'CODE'
import openpyxl
import pyogrio

print('GDAL', pyogrio.__gdal_version_string__)

def read(name, *rows):
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    book.save('sheet.xlsx')
    meta, _, _, columns = pyogrio.raw.read('sheet.xlsx', read_geometry=False)
    print(f'{name}:', ', '.join(meta['fields']), '|', len(columns[0]), 'records, the first is', ', '.join(str(column[0]) for column in columns))

read('all text', ('reference', 'address_id'), ('00123', '0471'), ('00124', '0472'))
read('a number', ('reference', 'units'), ('00123', 3), ('00124', 1))
pyogrio.set_gdal_config_options({'OGR_XLSX_HEADERS': 'FORCE'})
read('all text, FORCE', ('reference', 'address_id'), ('00123', '0471'), ('00124', '0472'))
CODE
venv/bin/python sheet.py | tee printed
diff - printed <<'EXPECTED'
GDAL 3.12.4
all text: Field1, Field2 | 3 records, the first is reference, address_id
a number: reference, units | 2 records, the first is 00123, 3
all text, FORCE: reference, address_id | 2 records, the first is 00123, 0471
EXPECTED
