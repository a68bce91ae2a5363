#!/usr/bin/env bash
# A device writes local times. One of them is 02:30 of the Sunday in October on which 02:30 comes twice.
#
# One would guess: a library takes the first 02:30, or always the second: the same text in the same zone is the same instant.
# What happens:    Luxon tries the offset that the zone has at the moment of the call. A program that runs in July gets the first 02:30
#                  (+02:00), the same program in December the second (+01:00). Temporal always gets the first.
# Versions: luxon 3.7.2, temporal-polyfill 1.0.8, 2026-11-29.
# Who meets it: whoever imports local times of events twice, in summer and in winter, or tests in winter what runs in summer. The
# repeat of an event has another instant then.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --prefix . luxon@3.7.2 temporal-polyfill@1.0.8
cat > season.mjs <<'CODE'
import { DateTime, Settings } from 'luxon';
import { Temporal } from 'temporal-polyfill';

for (const today of ['2026-07-01', '2026-12-01']) {
  Settings.now = () => Date.parse(today);
  console.log(`read on ${today}`);
  console.log('  luxon   ', DateTime.fromISO('2026-10-25T02:30', { zone: 'Europe/Vienna' }).toISO({ suppressMilliseconds: true }));
  console.log('  temporal', Temporal.PlainDateTime.from('2026-10-25T02:30').toZonedDateTime('Europe/Vienna').toString({ timeZoneName: 'never' }));
}
CODE
node season.mjs | tee printed
diff - printed <<'EXPECTED'
read on 2026-07-01
  luxon    2026-10-25T02:30:00+02:00
  temporal 2026-10-25T02:30:00+02:00
read on 2026-12-01
  luxon    2026-10-25T02:30:00+01:00
  temporal 2026-10-25T02:30:00+02:00
EXPECTED
