"""Exports nodes, takes the file through each program, and imports the result with a dry run: every row should be `unchanged`.

The rows whose name begins with "trap" are options that docs/import.md warns of; they must not come back unchanged.
"""
import json
import os
import subprocess
import sys
import urllib.request
from base64 import b64encode
from urllib.error import HTTPError
from uuid import uuid4

import duckdb
import geopandas
import pandas
import polars
import pyarrow
import pyogrio

HOST = '127.0.0.1'
COVERAGE = f"http://{HOST}:{os.environ.get('COVERAGE_PORT', 3001)}/v2/cov"
ISSUER = f"http://{HOST}:{os.environ.get('ISSUER_PORT', 3003)}"
MEDIA_TYPES = {'csv': 'text/csv', 'tsv': 'text/tab-separated-values', 'ndjson': 'application/x-ndjson', 'geojson': 'application/geo+json'}
TEXTS = {column: str for column in ('customer_reference', 'address_id', 'lot_id', 'technology', 'country')}

# Each of these is the references of a relation. A program guesses a column's type from all its values, so one that is nothing else must be alone.
REFERENCES = {
    'mixed': ['00123', '123', '1E5', '12345678901234567890', '1.0', '0x1F', '2026-03-01', '2026/03/01', '12:30', '12:30:00', 'NA', 'null', 'NaN', 'true', '=1+1', '-7',
              'Straße 1/2 "Hof"; Tür 3, links', "O'Neill", 'A\\1', '0', '1_000', '1.234', *(f'REF-{number}' for number in range(100))],
    'zeros': ['00123', '00124', '123'],
    'long': ['12345678901234567890', '12345678901234567891'],
    'exponents': ['1E5', '2E5'],
    'ports': ['12:30', '12:31'],
    'dates': ['2026-03-01', '2026-03-02'],
    'truths': ['true', 'false'],
}


def call(method: str, url: str, body: bytes | None = None, **headers: str) -> tuple[int, bytes]:
    request = urllib.request.Request(url, body, {name.replace('_', '-'): value for name, value in headers.items()}, method=method)
    try:
        with urllib.request.urlopen(request) as response:
            return response.status, response.read()
    except HTTPError as error:
        return error.code, error.read()


def node(index: int, reference: str) -> dict[str, object]:
    """A node; the fields that are not set, and the numbers with decimals, come late or rarely, as in real files."""
    fields: dict[str, object] = {
        'customer_reference': reference,
        'token': ('planned', 'construction', 'operation')[index % 3],
        'center': f'{48.1 + index / 1e3 + 1.23e-8:.10f}, {16.3 + index / 1e3 + 4.56e-8:.10f}',
        'technology': 'ftth',
    }
    if index % 2:
        fields |= {'address_id': f'{index:07}', 'address': f'Hauptstraße {index}/3, 4020 Linz', 'units': index, 'units_connected': index // 2, 'download_mbps': 1000 if index < 110 else 500.5, 'upload_mbps': 0.125}
    if index % 5 == 0:
        fields |= {'available_from': f'2026-0{index % 9 + 1}-01', 'country': 'AT', 'lot_id': f'{index}/1'}
    return fields


def ogr2ogr(*options: str):
    return lambda source, target: subprocess.run(['node', 'ogr2ogr.cjs', source, target, *options], check=True, capture_output=True)


def in_turn(*steps):
    """Programs after each other: each a pair of the file that it writes and the program."""

    def run(source: str, target: str) -> None:
        for name, step in steps:
            step(source, name or target)
            source = name

    return run


def geo(read: dict, **write):
    return lambda source, target: geopandas.read_file(source, **read).to_file(target, **write)


def pandas_csv(read: dict, write: dict):
    return lambda source, target: pandas.read_csv(source, **read).to_csv(target, index=False, **write)


def pandas_ndjson(**options):
    return lambda source, target: pandas.read_json(source, lines=True, **options).to_json(target, orient='records', lines=True)


def sql(read: str, write: str = ''):
    return lambda source, target: duckdb.sql(f"copy (from {read.format(source)}) to '{target}' {write}")


NUMBERS = ('units', 'units_connected', 'download_mbps', 'upload_mbps')
KEEP = {'keep_default_na': False, 'na_values': {column: [''] for column in NUMBERS}, 'dtype': TEXTS}
STRINGS = ('-oo', 'DATE_AS_STRING=YES')
UNCHANGED, TRAP = 'unchanged', 'trap'
ROUND_TRIPS = [
    ('ogr2ogr', '-oo DATE_AS_STRING=YES -f GeoJSON', 'geojson', 'geojson', UNCHANGED, ogr2ogr(*STRINGS, '-f', 'GeoJSON', '-t_srs', 'EPSG:4326')),
    ('ogr2ogr', '-f GeoJSON', 'geojson', 'geojson', TRAP, ogr2ogr('-f', 'GeoJSON')),
    ('ogr2ogr', '-oo DATE_AS_STRING=YES -f CSV -lco GEOMETRY=AS_XY', 'geojson', 'csv', UNCHANGED, ogr2ogr(*STRINGS, '-f', 'CSV', '-lco', 'GEOMETRY=AS_XY')),
    ('ogr2ogr', '-f CSV, from CSV', 'csv', 'csv', UNCHANGED, ogr2ogr('-f', 'CSV')),
    ('ogr2ogr', '-oo DATE_AS_STRING=YES -f GPKG, and back', 'geojson', 'geojson', UNCHANGED,
     in_turn(('nodes.gpkg', ogr2ogr(*STRINGS, '-f', 'GPKG')), ('', ogr2ogr('-f', 'GeoJSON')))),
    ('ogr2ogr', '-f GeoJSON -lco RFC7946=YES', 'geojson', 'geojson', TRAP, ogr2ogr('-f', 'GeoJSON', '-lco', 'RFC7946=YES')),
    ('GeoPandas', "read_file(DATE_AS_STRING='YES'), to_file", 'geojson', 'geojson', UNCHANGED, geo({'DATE_AS_STRING': 'YES'})),
    ('GeoPandas', "the same with use_arrow=True", 'geojson', 'geojson', UNCHANGED, geo({'DATE_AS_STRING': 'YES', 'use_arrow': True}, use_arrow=True)),
    ('GeoPandas', 'read_file, to_file', 'geojson', 'geojson', TRAP, geo({})),
    ('GeoPandas', "read_file(DATE_AS_STRING='YES'), GeoPackage, and back", 'geojson', 'geojson', UNCHANGED,
     in_turn(('geo.gpkg', geo({'DATE_AS_STRING': 'YES'})), ('', geo({})))),
    ('pandas', 'read_csv(dtype=str, keep_default_na=False)', 'csv', 'csv', UNCHANGED, pandas_csv({'dtype': str, 'keep_default_na': False}, {})),
    ('pandas', 'the same, numbers as such, to_csv(sep=";", decimal=",")', 'csv', 'csv', UNCHANGED, pandas_csv(KEEP, {'sep': ';', 'decimal': ','})),
    ('pandas', 'read_csv()', 'csv', 'csv', TRAP, pandas_csv({}, {})),
    ('pandas', 'read_json(lines=True, dtype=False)', 'ndjson', 'ndjson', UNCHANGED, pandas_ndjson(dtype=False)),
    ('pandas', 'read_json(lines=True)', 'ndjson', 'ndjson', TRAP, pandas_ndjson()),
    ('polars', 'read_csv(infer_schema=False)', 'csv', 'csv', UNCHANGED,
     lambda source, target: polars.read_csv(source, infer_schema=False).write_csv(target)),
    ('polars', 'read_csv(infer_schema_length=None)', 'csv', 'csv', TRAP,
     lambda source, target: polars.read_csv(source, infer_schema_length=None).write_csv(target)),
    ('polars', 'read_ndjson(infer_schema_length=None)', 'ndjson', 'ndjson', UNCHANGED,
     lambda source, target: polars.read_ndjson(source, infer_schema_length=None).write_ndjson(target)),
    ('DuckDB', 'read_csv(all_varchar = true)', 'csv', 'csv', UNCHANGED, sql("read_csv('{}', all_varchar = true)")),
    ('DuckDB', 'read_csv(all_varchar = true)', 'tsv', 'tsv', UNCHANGED, sql("read_csv('{}', all_varchar = true)", "(delimiter '\t')")),
    ('DuckDB', 'read_csv()', 'csv', 'csv', TRAP, sql("read_csv('{}')")),
    ('DuckDB', 'read_json()', 'ndjson', 'ndjson', TRAP, sql("read_json('{}')", '(format json)')),
]


def main() -> None:
    print('ogr2ogr of gdal3.js 2.8.1 | GDAL', pyogrio.__gdal_version_string__, *(
        f'| {module.__name__} {module.__version__}' for module in (pyogrio, geopandas, pandas, polars, pyarrow, duckdb)))
    basic = b64encode(b'ano-demo:ano-demo-secret').decode()
    _, answer = call('POST', f'{ISSUER}/token', b'grant_type=client_credentials', Authorization=f'Basic {basic}')
    bearer = {'Authorization': f"Bearer {json.loads(answer)['access_token']}"}

    def create_relation(name: str) -> str:
        body = json.dumps({'name': f'Round trips, {name}, {uuid4()}', 'pip': 'Stadtnetz'}).encode()
        return json.loads(call('POST', f'{COVERAGE}/relations/', body, **bearer, Content_Type='application/json')[1])['relation_id']

    def imported(file: bytes, extension: str, query: str) -> dict:
        status, body = call('POST', f'{COVERAGE}/nodes/import?{query}', file, **bearer, Content_Type=MEDIA_TYPES[extension])
        return {'status': status} | json.loads(body)

    relations = {}
    try:
        for name, references in REFERENCES.items():
            relations[name] = relation = create_relation(name)
            stored = imported('\n'.join(json.dumps(node(*numbered)) for numbered in enumerate(references)).encode(), 'ndjson', f'relation_id={relation}')
            assert stored.get('created') == len(references), stored
            for extension in MEDIA_TYPES:
                _, body = call('GET', f'{COVERAGE}/nodes/export?format={extension}&relation_id={relation}', **bearer)
                with open(f'{name}.{extension}', 'wb') as file:
                    file.write(body)
        failed = False
        for program, options, source, target, expected, convert in ROUND_TRIPS:
            changed = []
            for name, references in REFERENCES.items():
                written = f'written.{target}'
                convert(f'{name}.{source}', written)
                with open(written, 'rb') as file:
                    result = imported(file.read(), target, 'dry_run=true')
                os.remove(written)
                counts = {count: result.get(count) for count in ('created', 'updated', 'refused') if result.get(count)}
                if counts or result.get('unchanged') != len(references):
                    changed.append(f'{name}: {counts or result.get("detail")}')
            is_right = (changed == []) == (expected == UNCHANGED)
            failed |= not is_right
            print(f"{'ok   ' if is_right else 'WRONG'} {program:<9} | {options:<56} | {source} to {target} | {'; '.join(changed) or 'unchanged'}")
    finally:
        for relation in relations.values():
            call('DELETE', f'{COVERAGE}/nodes/?relation_id={relation}', **bearer)
            call('DELETE', f'{COVERAGE}/relations/{relation}/', **bearer)
    sys.exit(failed)


main()
