#!/usr/bin/env bash
# A program compares the times of its own events, in Vienna's zone, with those that a service sent in UTC.
#
# One would guess: two aware times are equal if they are the same instant, as the documentation of `datetime` says of two zones.
# What happens:    a time of the hour that comes twice in October equals no time of another zone, not even itself in UTC, although both
#                  have the same timestamp and the same hash. The same holds for the hour that spring leaves out. A set holds both.
# Versions: Python 3.11.7, tzdata 2026.6, 2026-11-29. PEP 495 wants it so.
# Who meets it: whoever looks up which events a service has already, or removes those that came twice: once a year events seem to be new.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check tzdata==2026.6
cat > equal.py <<'CODE'
from datetime import datetime, timezone
from zoneinfo import ZoneInfo

VIENNA = ZoneInfo('Europe/Vienna')
for hour in (1, 2, 3):
    local = datetime(2026, 10, 25, hour, 30, tzinfo=VIENNA)
    utc = local.astimezone(timezone.utc)
    print(local, 'same timestamp', local.timestamp() == utc.timestamp(), 'same hash', hash(local) == hash(utc),
          'equal', local == utc, 'of two in a set', len({local, utc}))
CODE
venv/bin/python equal.py | tee printed
diff - printed <<'EXPECTED'
2026-10-25 01:30:00+02:00 same timestamp True same hash True equal True of two in a set 1
2026-10-25 02:30:00+02:00 same timestamp True same hash True equal False of two in a set 2
2026-10-25 03:30:00+01:00 same timestamp True same hash True equal True of two in a set 1
EXPECTED
