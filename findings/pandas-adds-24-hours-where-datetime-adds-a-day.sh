#!/usr/bin/env bash
# A function adds `timedelta(days=1)` to a local time. It is given a `datetime` by one caller and a row of a data frame by another.
#
# One would guess: the same result, because `pandas.Timestamp` is a subclass of `datetime`.
# What happens:    `datetime` keeps the hour of the clock, 12:00 to 12:00. `Timestamp` adds 24 hours, so on the days on which the clock
#                  changes it ends at 13:00 or 11:00. Their difference of two local noons differs too: 1 day, or 23 hours.
# Versions: pandas 3.1.1, Python 3.11.7, 2026-11-29.
# Who meets it: whoever counts billed days or cuts a report by days with pandas, and tests it with `datetime`.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check pandas==3.1.1 tzdata==2026.6
cat > day.py <<'CODE'
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pandas

VIENNA = ZoneInfo('Europe/Vienna')
saturday, sunday = datetime(2026, 3, 28, 12, tzinfo=VIENNA), datetime(2026, 3, 29, 12, tzinfo=VIENNA)
print('a Timestamp is a datetime:', isinstance(pandas.Timestamp(saturday), datetime))
print('datetime ', saturday + timedelta(days=1), '|', sunday - saturday)
print('Timestamp', pandas.Timestamp(saturday) + timedelta(days=1), '|', pandas.Timestamp(sunday) - pandas.Timestamp(saturday))
CODE
venv/bin/python day.py | tee printed
diff - printed <<'EXPECTED'
a Timestamp is a datetime: True
datetime  2026-03-29 12:00:00+02:00 | 1 day, 0:00:00
Timestamp 2026-03-29 13:00:00+02:00 | 0 days 23:00:00
EXPECTED
