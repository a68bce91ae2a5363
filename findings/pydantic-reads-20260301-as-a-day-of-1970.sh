#!/usr/bin/env bash
# A field `available_from: datetime` of a pydantic model gets "20260301", the short form of ISO 8601.
#
# One would guess: 1 March 2026, as `datetime.fromisoformat` says, or an error, as for "20260301T000000".
# What happens:    digits alone are seconds since 1970, also as a string: 23 August 1970, without an error. From 20,000,000,000 on they
#                  are milliseconds, so "20260301160000" is a day of the year 2612.
# Versions: pydantic 2.14.4, Python 3.11.7, 2026-11-29.
# Who meets it: whoever reads a register or a customer's CSV through models, or serves an API with FastAPI.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check pydantic==2.14.4
cat > day.py <<'CODE'
from datetime import datetime

from pydantic import TypeAdapter, ValidationError

for text in ('2026-03-01', '20260301', '20260301T160000', '20260301160000'):
    try:
        read = TypeAdapter(datetime).validate_python(text)
    except ValidationError as error:
        read = error.errors()[0]['type']
    try:
        standard = datetime.fromisoformat(text)
    except ValueError:
        standard = 'refused'
    print(text, '| datetime', standard, '| pydantic', read)
CODE
venv/bin/python day.py | tee printed
diff - printed <<'EXPECTED'
2026-03-01 | datetime 2026-03-01 00:00:00 | pydantic 2026-03-01 00:00:00
20260301 | datetime 2026-03-01 00:00:00 | pydantic 1970-08-23 11:51:41+00:00
20260301T160000 | datetime 2026-03-01 16:00:00 | pydantic datetime_from_date_parsing
20260301160000 | datetime refused | pydantic 2612-01-10 05:26:00+00:00
EXPECTED
