#!/usr/bin/env bash
# An export as NDJSON has references as JSON strings, "00123". pandas reads it with `read_json(lines=True)`.
#
# One would guess: strings stay strings. JSON says what they are, which is why one takes NDJSON instead of CSV.
# What happens:    strings that look like numbers become numbers: 123, and "1E5" is 100000.0. `dtype=False` keeps them; `convert_dates` is
#                  another option. polars and DuckDB keep them.
# Versions: pandas 3.1.1, 2026-11-29.
# Who meets it: whoever changes a column in pandas and sends the rows back by reference: "123" is a new node.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check pandas==3.1.1
cat > read.py <<'CODE'
import io

import pandas

NODES = '{"reference":"00123","port":"1E5"}\n{"reference":"00124","port":"2"}\n'
print(pandas.read_json(io.StringIO(NODES), lines=True).to_json(orient='records'))
print(pandas.read_json(io.StringIO(NODES), lines=True, dtype=False).to_json(orient='records'))
CODE
venv/bin/python read.py | tee printed
diff - printed <<'EXPECTED'
[{"reference":123,"port":100000.0},{"reference":124,"port":2.0}]
[{"reference":"00123","port":"1E5"},{"reference":"00124","port":"2"}]
EXPECTED
