#!/usr/bin/env bash
# A Python program makes version 7 ids with the package that is called `uuid7`.
#
# One would guess: ids as RFC 9562 says, 48 bits of milliseconds, in one order with those of every other library.
# What happens:    the package follows a draft that counts in seconds and fractions. By the RFC its ids are of the year 2203, so they come
#                  after all ids of other programs, and a time read from them is wrong by more than 170 years. `uuid6` and `uuid-utils` are right.
# Versions: uuid7 0.1.0, uuid6 2025.0.1, uuid-utils 1.2.0, 2026-11-29.
# Who meets it: whoever makes event or node ids outside, sorts by them, or cuts a table by the time in its ids.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check uuid7==0.1.0 uuid6==2025.0.1 uuid-utils==1.2.0
cat > ids.py <<'CODE'
import time
from uuid import UUID

import uuid6
import uuid_extensions
import uuid_utils

for package, make in (('uuid6', uuid6.uuid7), ('uuid-utils', uuid_utils.uuid7), ('uuid7', uuid_extensions.uuid7)):
    made = UUID(str(make()))
    seconds = (made.int >> 80) / 1000
    print(f'{package}: version {made.version}, {round(abs(seconds - time.time()) / 31_556_952)} years from now')
CODE
venv/bin/python ids.py | tee printed
grep -q '^uuid6: version 7, 0 years' printed && grep -q '^uuid-utils: version 7, 0 years' printed && grep -q '^uuid7: version 7, 1[0-9][0-9] years' printed
